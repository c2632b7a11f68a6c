import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { isFile } from "../support/is_file.ts";

/** The first one is the same engine without windows, and takes half the CPU time. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

let shared: Browser | undefined;

/**
 * The headless Chromium that all tests of a process share; a new one if it has crashed. It closes with the process, and
 * what a test has left open there at the end of the test.
 *
 * @throws {Error} if there is none
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await startBrowser();
  return shared;
}

Deno.test.afterEach(async () => {
  await Promise.all(shared?.contexts().map((context) => context.close()) ?? []);
});
Deno.test.afterAll(async () => await shared?.close());

/**
 * Starts headless Chromium: the one in `CHROMIUM`, or the first on the path.
 *
 * @throws {Error} if there is none
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = Deno.env.get("CHROMIUM") || findOnPath();
  if (executablePath === undefined) {
    throw new Error(
      `These tests need Chromium, and there is no ${names.join(", ")} on the path. ` +
        "Install one (apt-get install chromium-headless-shell), or set CHROMIUM to the path of a Chrome or Chromium.",
    );
  }
  return await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

function findOnPath(): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isFile);
}
