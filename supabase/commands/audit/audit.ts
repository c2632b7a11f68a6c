import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readGraph } from "../deploy/read_graph.ts";
import { createTempFolder } from "../deploy/run_deno.ts";
import { listFunctions } from "../../platform/list_functions.ts";
import { projectRoot } from "../../platform/state.ts";
import { readJson } from "../../../shared/libs/base/fields_of.ts";
import { z } from "zod";
import { CommandError } from "../command_error.ts";

/** A package in the version that is shipped. */
export type ShippedPackage = { name: string; version: string };

/**
 * The packages that the functions, the pages and the npm packages contain: those that their modules import, and all that
 * these need. What only tests and commands use is not shipped.
 *
 * @throws {CommandError} with what Deno says.
 */
export async function listShipped(root: string): Promise<ShippedPackage[]> {
  const modules = [
    ...listFunctions(root).map((name) => join(root, "functions", name, "index.ts")),
    ...await listModules(join(root, "shared/clients")),
    // In one file: see `supabase/commands/telemetry`.
    ...await listModules(join(root, "supabase/commands/telemetry")),
  ];
  await using temp = await createTempFolder();
  const all = join(temp.folder, "all.ts");
  await Deno.writeTextFile(all, modules.map((path) => `import "${pathToFileURL(path)}";\n`).join(""));
  const found = await readGraph(root, all);
  const shipped = new Map<string, ShippedPackage>();
  const waiting = found.modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const { name, version, dependencies } = found.npmPackages[id]!;
    // Platforms' own binaries may be left out.
    if (!shipped.has(id)) waiting.push(...dependencies.filter((each) => each in found.npmPackages));
    shipped.set(id, { name, version });
  }
  const packages = new Map([...shipped.values()].map((each) => [`${each.name} ${each.version}`, each]));
  return [...packages.keys()].toSorted().map((key) => packages.get(key)!);
}

async function listModules(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(entries.map(({ name, isDirectory }) => {
    const path = join(folder, name);
    return isDirectory ? listModules(path) : name.endsWith(".ts") ? [path] : [];
  }));
  return found.flat();
}

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

const list = z.array(z.strictObject({
  /** The advisory, such as GHSA-xxxx-xxxx-xxxx. */
  id: z.string().min(1),
  package: z.string().min(1),
  /** The reason for which it does not affect this service, or cannot be avoided. */
  reason: z.string().min(10),
  /** The last day on which it is accepted; then somebody has to look at it again. */
  until: z.iso.date(),
}));

/** Findings that are accepted. */
export type Accepted = z.infer<typeof list>;

/** Reads `accepted.json`. @throws {Error} when it has another form. */
export function readAccepted(text: string): Accepted {
  return list.parse(JSON.parse(text));
}

/**
 * The faults to report, one line each: findings that nobody has accepted, and accepted ones whose time is over or that
 * are found no longer, so that the list does not outlive its reasons.
 *
 * @param today as `2026-11-26`
 */
export function compareFindings(findings: Finding[], accepted: Accepted, today: string): string[] {
  const isSame = (finding: Finding, entry: Accepted[number]) =>
    finding.id === entry.id && finding.name === entry.package;
  const unknown = findings.filter((finding) => !accepted.some((entry) => isSame(finding, entry)));
  const gone = accepted.filter((entry) => !findings.some((finding) => isSame(finding, entry)));
  const expired = accepted.filter((entry) => !gone.includes(entry) && entry.until < today);
  return [
    ...unknown.map(({ name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`),
    ...gone.map((entry) => `${entry.package}: ${entry.id} is found no longer: remove it from accepted.json`),
    ...expired.map((entry) => `${entry.package}: ${entry.id} was accepted until ${entry.until}: ${entry.reason}`),
  ];
}

/**
 * `npm run audit`: looks for known vulnerabilities in the packages that are shipped. `npm run check` ends with it. With
 * `--required` it fails where the registry does not answer: a check without a network should still be possible, but
 * must not look like one that has found nothing.
 */
if (import.meta.main) {
  const isRequired = Deno.args.includes("--required");
  const packages = await listShipped(projectRoot);
  const accepted = readAccepted(await Deno.readTextFile(join(import.meta.dirname!, "accepted.json")));
  const today = new Date().toISOString().slice(0, 10);
  try {
    const faults = compareFindings(await askRegistry(packages), accepted, today);
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) Deno.exit(1);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const start = isRequired ? "Failed" : "Warning";
    console.error(`${start}: ${packages.length} packages were NOT audited. ${error.message}`);
    if (isRequired) Deno.exit(1);
  }
}
