import { join } from "node:path";

/** The paths of a file, or of a folder and all in it, that users other than the owner can read, write or enter. */
export async function openToOthers(path: string): Promise<string[]> {
  const { mode, isDirectory } = await Deno.lstat(path);
  const open = (mode! & 0o077) === 0 ? [] : [path];
  if (!isDirectory) return open;
  const inside = Array.from(Deno.readDirSync(path), ({ name }) => openToOthers(join(path, name)));
  return [...open, ...(await Promise.all(inside)).flat()];
}
