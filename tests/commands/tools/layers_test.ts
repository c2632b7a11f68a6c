import { dirname, join, normalize } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals } from "../../support/assert.ts";

/** The layers of `shared/`, from the top: an import never leads up. */
const layers = ["api", "features", "http", "core", "infra", "libs"];

type Import = { from: string; to: string };

async function* listModules(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(projectRoot, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* listModules(path);
    else if (/(?<!_test)\.ts$/.test(name)) yield path;
  }
}

/** All imports between modules of the project, those that load a module later and those of types included. */
async function readImports(): Promise<Import[]> {
  const imports: Import[] = [];
  for await (const from of listModules("shared")) {
    const code = await Deno.readTextFile(join(projectRoot, from));
    for (const [, specifier = ""] of code.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g)) {
      imports.push({ from, to: normalize(join(dirname(from), specifier)) });
    }
  }
  return imports;
}

/** The layer of a module, the second part of its path. */
const layerOf = (module: string) => module.split("/")[1] ?? "";

/** The folder of a module below its layer, or a module that stands in the layer itself. */
const folderOf = (module: string) => module.split("/").slice(0, 3).join("/");

/** The first circle that is found; null for none. */
function findCircle(imports: Import[]): string[] | null {
  const targets = Map.groupBy(imports.filter(({ from, to }) => from !== to), ({ from }) => from);
  const done = new Set<string>();
  function visit(module: string, path: string[]): string[] | null {
    if (path.includes(module)) return [...path.slice(path.indexOf(module)), module];
    if (done.has(module)) return null;
    for (const { to } of targets.get(module) ?? []) {
      const circle = visit(to, [...path, module]);
      if (circle) return circle;
    }
    done.add(module);
    return null;
  }
  for (const module of targets.keys()) {
    const circle = visit(module, []);
    if (circle) return circle;
  }
  return null;
}

Deno.test("the folders of shared/ are layers, and imports lead down", async (t) => {
  const imports = await readImports();
  assert(imports.length > 1_000, `only ${imports.length} imports were found`);

  await t.step("there are six layers and the clients", async () => {
    const names = await Array.fromAsync(Deno.readDir(join(projectRoot, "shared")), ({ name }) => name);
    assertEquals(names.toSorted(), [...layers, "clients"].toSorted());
  });

  await t.step("no import leads up, or out of shared/", () => {
    const rising = imports.filter(({ from, to }) => {
      const [above, below] = [layerOf(from), layerOf(to)];
      if (!to.startsWith("shared/")) return true;
      return above === "clients" || below === "clients"
        ? above !== below
        : layers.indexOf(above) > layers.indexOf(below);
    });
    assertEquals(rising.map(({ from, to }) => `${from} → ${to}`), []);
  });

  await t.step("no modules import each other in a circle", () => assertEquals(findCircle(imports), null));

  await t.step("no folders import each other in a circle", () => {
    const services = imports.filter(({ from }) => layerOf(from) !== "clients");
    assertEquals(findCircle(services.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))), null);
  });
});

Deno.test("findCircle finds a circle, and nothing else", () => {
  const a = { from: "a", to: "b" };
  const b = { from: "b", to: "c" };
  assertEquals(findCircle([a, b, { from: "a", to: "c" }]), null);
  assertEquals(findCircle([a, b, { from: "c", to: "b" }]), ["b", "c", "b"]);
});
