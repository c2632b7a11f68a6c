/**
 * Installs the tools that package.json names, unless they are installed already. Every npm script begins with this, so
 * that a fresh clone needs no other step. It prints a line only if it installs something. It is the one file in plain
 * JavaScript, since Deno is among these tools.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const project = new URL("../../", import.meta.url);
const installed = new URL("node_modules/.installed", project);

/** A digest of everything that decides which tools are installed. */
function digestOfNeeded() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const name of ["package.json", "package-lock.json"]) hash.update(readFileSync(new URL(name, project)));
  return hash.digest("hex");
}

function digestOfInstalled() {
  try {
    return readFileSync(installed, "utf8");
  } catch {
    return null;
  }
}

if (digestOfInstalled() !== digestOfNeeded()) {
  const start = Date.now();
  console.error("… Fetching tools");
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: project,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(installed, digestOfNeeded());
  console.error(`… Fetching tools took ${Math.round((Date.now() - start) / 1_000)} s`);
}
