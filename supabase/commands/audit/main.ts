/**
 * `npm run audit`: looks for known vulnerabilities in the packages that are shipped. `npm run check` ends with it. With
 * `--required` it fails where the registry does not answer: a check without a network should still be possible, but
 * must not look like one that has found nothing.
 */
import { join } from "node:path";
import { CommandError } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { askRegistry } from "./ask_registry.ts";
import { compareFindings, readAccepted } from "./compare_findings.ts";
import { listShipped } from "./list_shipped.ts";

const isRequired = Deno.args.includes("--required");
const packages = await listShipped(projectRoot);
const accepted = readAccepted(await Deno.readTextFile(join(import.meta.dirname!, "accepted.json")));
const today = new Date().toISOString().slice(0, 10);
try {
  const findings = await askRegistry(packages);
  const faults = compareFindings(findings, accepted, today);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) Deno.exit(1);
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(`${isRequired ? "Failed" : "Warning"}: ${packages.length} packages were NOT audited. ${error.message}`);
  if (isRequired) Deno.exit(1);
}
