import { z } from "zod";
import { pathToFileURL } from "node:url";

/** A module that is imported from an entry point. It may be missing. */
export type Module = {
  /** The path from the root of the project; the full address of a module outside of it. */
  path: string;
  isReadable: boolean;
};

const graph = z.object({ modules: z.array(z.object({ specifier: z.string(), error: z.string().optional() })) });

/** All modules that are imported from an entry point, including itself. @throws {Error} with Deno's message. */
export async function readModules(root: string, entryPoint: string): Promise<Module[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--quiet", "--json", "--frozen", "--config", "deno.json", entryPoint],
    cwd: root,
  }).output();
  if (!success) throw new Error(`${entryPoint}: ${new TextDecoder().decode(stderr).trim()}`);
  const { modules } = graph.parse(JSON.parse(new TextDecoder().decode(stdout)));
  const base = `${pathToFileURL(await Deno.realPath(root))}/`;
  return modules.map(({ specifier, error }) => ({
    path: specifier.startsWith(base) ? decodeURI(specifier.slice(base.length)) : specifier,
    isReadable: error === undefined,
  }));
}
