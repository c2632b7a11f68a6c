import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { isFile } from "../support/is_file.ts";

const names = ["chromium", "chromium-browser", "google-chrome"];

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
        "Install it (apt-get install chromium), or set CHROMIUM to the path of a Chrome or Chromium.",
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
