/** Makes a folder that is removed when it is disposed of. The path has no symbolic links in it. */
export async function createTempFolder() {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "deploy-" }));
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}
