import { gunzipSync } from "node:zlib";
import {
  type Accepted,
  askRegistry,
  compareFindings,
  listShipped,
  readAccepted,
} from "../../../supabase/commands/audit/audit.ts";
import { CommandError } from "../../../supabase/commands/command_error.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../support/assert.ts";

/** A registry that knows vulnerabilities, or does not answer. */
function startRegistry(advisories: Record<string, unknown[]> | number) {
  const asked: Record<string, string[]>[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/-/npm/v1/security/advisories/bulk") return new Response(null, { status: 404 });
    const bytes = new Uint8Array(await request.arrayBuffer());
    const isZipped = request.headers.get("Content-Encoding") === "gzip";
    asked.push(JSON.parse(new TextDecoder().decode(isZipped ? gunzipSync(bytes) : bytes)));
    return typeof advisories === "number" ? new Response(null, { status: advisories }) : Response.json(advisories);
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  return { url, asked, [Symbol.asyncDispose]: () => server.shutdown() };
}

const advisory = {
  id: 1,
  url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
  title: "A hole",
  severity: "low",
  vulnerable_versions: "<2.0.0",
};
const finding = { ...advisory, id: "GHSA-aaaa-bbbb-cccc", name: "left" };
const entry = { id: finding.id, package: "left", reason: "It is never called here", until: "2026-12-31" };

Deno.test("the packages that are shipped", async (t) => {
  const packages = await listShipped(projectRoot);
  const names = new Set(packages.map(({ name }) => name));
  await t.step("those of functions, of pages and of the client, and what they need", () => {
    // The last ones are needed by others.
    for (const name of ["hono", "openai", "unpdf", "lit", "openapi-fetch", "nodemailer", "@tokenizer/token", "ms"]) {
      assert(names.has(name), name);
    }
    for (const { name, version } of packages) assert(/^\d+\.\d+\.\d+/.test(version), `${name} ${version}`);
  });
  await t.step("not those of tests and commands", () => {
    for (const name of ["playwright-core", "@supabase/lite", "typescript", "js-redis-server"]) {
      assert(!names.has(name), name);
    }
  });
});

Deno.test("the registry is asked about every version", async (t) => {
  const packages = [["left", "1.0.0"], ["left", "2.0.0"], ["@right/side", "1.5.0"]]
    .map(([name = "", version = ""]) => ({ name, version }));

  await t.step("with npm audit, and what it finds is told", async () => {
    await using registry = startRegistry({ left: [advisory] });
    const findings = await askRegistry(packages, registry.url);
    const [names] = registry.asked;
    assertEquals([names?.left?.toSorted(), names?.["@right/side"]], [["1.0.0", "2.0.0"], ["1.5.0"]]);
    assertEquals([registry.asked.length, Object.keys(names!).length], [1, 2]);
    assertEquals(findings.map(({ id, name, severity }) => [id, name, severity]), [[finding.id, "left", "low"]]);
  });

  await t.step("nothing found", async () => {
    await using registry = startRegistry({});
    assertEquals(await askRegistry(packages, registry.url), []);
  });

  await t.step("one that does not answer is no clean result", async () => {
    await using registry = startRegistry(405);
    await assertRejects(() => askRegistry(packages, registry.url), CommandError, "has not answered");
    await assertRejects(() => askRegistry(packages, "http://127.0.0.1:9/"), CommandError, "has not answered");
  });
});

Deno.test("findings are compared with those that are accepted", async (t) => {
  const cases: [name: string, findings: typeof finding[], accepted: Accepted, faults: number][] = [
    ["nothing at all", [], [], 0],
    ["a new finding", [finding], [], 1],
    ["an accepted one", [finding], [entry], 0],
    ["on its last day", [finding], [{ ...entry, until: "2026-11-26" }], 0],
    ["a day later", [finding], [{ ...entry, until: "2026-11-25" }], 1],
    ["one that is found no longer", [], [entry], 1],
    ["the same advisory for another package", [{ ...finding, name: "right" }], [entry], 2],
  ];
  for (const [name, findings, accepted, faults] of cases) {
    await t.step(name, () => assertEquals(compareFindings(findings, accepted, "2026-11-26").length, faults));
  }
  await t.step("an entry needs a reason and a date", () => {
    for (const lacking of ["reason", "until", "package", "id"]) {
      assertThrows(() => readAccepted(JSON.stringify([{ ...entry, [lacking]: undefined }])));
    }
    assertEquals(readAccepted(JSON.stringify([entry])), [entry]);
  });
});
