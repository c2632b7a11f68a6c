import { z } from "zod";
import type { Finding } from "./ask_registry.ts";

const list = z.array(z.strictObject({
  /** The advisory, such as GHSA-xxxx-xxxx-xxxx. */
  id: z.string().min(1),
  /** The package that it is about. */
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
