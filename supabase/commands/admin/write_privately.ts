/** Writes a file that only its owner can read. It is renamed to its final name when it is complete. Follows links. */
export async function writePrivately(link: string, text: string): Promise<void> {
  const path = await Deno.realPath(link).catch(() => link);
  const { isFile } = await Deno.stat(path).catch(() => ({ isFile: true }));
  if (!isFile) throw new Error("it exists and is not a regular file");
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(unfinished, text, { mode: 0o600, createNew: true });
    await Deno.rename(unfinished, path);
  } catch (error) {
    await Deno.remove(unfinished).catch(() => {});
    throw error;
  }
}
