import { join } from "node:path";
import { z } from "zod";

/** The files that a deployment is built from. */
const sources = ["functions", "shared", "deno.json", "deno.lock"];

/** Describes the commit that the functions of a project are built from, and its repository. */
export async function describeSource(root: string): Promise<string> {
  const commit = await git(root, "rev-parse", "HEAD");
  const changes = await git(root, "status", "--porcelain", "--", ...sources);
  const address = await git(root, "remote", "get-url", "origin");
  const built = commit === null || changes === null
    ? "built from a folder without git"
    : `built from commit ${commit}${changes === "" ? "" : ", with uncommitted changes"}`;
  return `${built}; source: ${showAddress(address ?? "") ?? await readName(root)}`;
}

/** The address of a remote, without a token that it may contain; null for a path on this machine. */
function showAddress(remote: string): string | null {
  const url = URL.parse(remote);
  if (url === null || url.host === "") return isOfAnotherHost(remote) ? remote : null;
  if (url.protocol === "file:") return null;
  url.username = url.password = "";
  return url.href;
}

/** Returns true for `host:path` or `user@host:path`. A single letter is a Windows drive, not a host. */
function isOfAnotherHost(remote: string): boolean {
  return /^([\w.-]+@)?[\w.-]{2,}:[^:\s]/.test(remote) && !remote.startsWith("file:");
}

async function readName(root: string): Promise<string> {
  return z.object({ name: z.string() }).parse(JSON.parse(await Deno.readTextFile(join(root, "package.json")))).name;
}

/** Null if there is no git, or it fails. */
async function git(root: string, ...args: string[]): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command("git", { args: ["-C", root, ...args], stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : null;
  } catch {
    return null;
  }
}
