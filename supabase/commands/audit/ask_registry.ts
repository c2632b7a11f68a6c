import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { createTempFolder } from "../deploy/run_deno.ts";
import type { ShippedPackage } from "./list_shipped.ts";

/** A known vulnerability of a package. */
export type Finding = { id: string; name: string; severity: string; title: string; url: string };

const advisory = z.object({ name: z.string(), severity: z.string(), title: z.string(), url: z.string() });
const report = z.object({
  auditReportVersion: z.number(),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
});

/**
 * Asks the registry about packages, with `npm audit`. That reads package-lock.json, which a project for Deno lacks, so
 * that one is written for it: each package and version is an entry of its own.
 *
 * @param registry its address, if it is not the usual one
 * @throws {CommandError} when the registry does not answer.
 */
export async function askRegistry(packages: ShippedPackage[], registry?: string): Promise<Finding[]> {
  await using temp = await createTempFolder();
  const entries = packages.map(({ name, version }, index) => ({ alias: `shipped-${index}`, name, version }));
  const root = {
    name: "shipped",
    version: "0.0.0",
    dependencies: Object.fromEntries(entries.map(({ alias, name, version }) => [alias, `npm:${name}@${version}`])),
  };
  const lock = {
    name: root.name,
    version: root.version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": root,
      ...Object.fromEntries(entries.map(({ alias, name, version }) => [`node_modules/${alias}`, { name, version }])),
    },
  };
  await Deno.writeTextFile(join(temp.folder, "package.json"), JSON.stringify(root));
  await Deno.writeTextFile(join(temp.folder, "package-lock.json"), JSON.stringify(lock));
  const { stdout, stderr } = await new Deno.Command(Deno.build.os === "windows" ? "npm.cmd" : "npm", {
    args: [
      ...["audit", "--omit=dev", "--json", "--audit=true", "--fetch-retries=0", "--fetch-timeout=10000"],
      ...(registry === undefined ? [] : [`--registry=${registry}`]),
    ],
    cwd: temp.folder,
    stdin: "null",
  }).output();
  const { success, data } = report.safeParse(readJson(new TextDecoder().decode(stdout)));
  if (!success) {
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const [reason = ""] = /\b(?:[45]\d\d [A-Z][\w ]+|ENOTFOUND|ECONN[A-Z]+|EAI_AGAIN|E\w*TIMEDOUT)\b/.exec(said) ?? [];
    throw new CommandError(`The registry has not answered npm audit${reason && `: ${reason.trim()}`}`);
  }
  const findings = Object.values(data.vulnerabilities).flatMap(({ via }) =>
    via.filter((each) => typeof each !== "string")
  );
  const unique = new Map(
    findings.map((found) => [found.url + found.name, { id: found.url.split("/").at(-1)!, ...found }]),
  );
  return [...unique.values()];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
