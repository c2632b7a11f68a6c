import { release } from "../../../shared/infra/release.ts";
import { findTroubles, type Status } from "../../../shared/core/status/read_status.ts";
import { countOf, showHarmlessly } from "../admin/terminal_text.ts";
import type { AnsweringFunctions } from "./run_status.ts";

/** What is known of a project. */
export type KnownStatus = {
  url: string;
  /** Or why it could not be read. */
  status: Status | string;
  functions: AnsweringFunctions;
  /** The versions of the migrations of this folder. */
  migrations: string[];
};

type Line = { name: string; text: string; isTrouble?: boolean };

/** Describes a project, a line for each of its parts. A part that does not work has a `!` before it. */
export function describeStatus(known: KnownStatus): { text: string; isWell: boolean } {
  const { url, status, functions } = known;
  const lines: Line[] = [
    { name: "Project", text: url },
    describeVersion(known),
    {
      name: "Functions",
      text: functions.silent.length === 0
        ? `all ${functions.count} answer`
        : `${functions.silent.length} of ${functions.count} do not answer: ${functions.silent.join(", ")}`,
      isTrouble: functions.silent.length > 0,
    },
    ...typeof status === "string"
      ? [{ name: "Database", text: status, isTrouble: true }]
      : [...describeWork(status), ...describeDetails(status.details)],
  ];
  const width = Math.max(...lines.map(({ name }) => name.length)) + 2;
  return {
    text: lines.map(({ name, text, isTrouble }) =>
      `${isTrouble ? "!" : " "} ${name.padEnd(width)}${text.split("\n").map(showHarmlessly).join(" ")}`
    ).join("\n"),
    isWell: !lines.some(({ isTrouble }) => isTrouble),
  };
}

/** The version of the functions, and the migrations of the database. */
function describeVersion({ functions: { version }, status, migrations: wanted }: KnownStatus): Line {
  const present = typeof status === "string" ? null : status.details?.migrations ?? null;
  const missing = present === null ? [] : wanted.filter((version) => !present.includes(version));
  const isOther = version !== release.version;
  return {
    name: "Version",
    text: [
      `${version ?? "not known"}${isOther ? `; this folder has ${release.version}` : ""}`,
      present === null
        ? "migrations not known"
        : missing.length === 0
        ? `all ${wanted.length} migrations`
        : `${missing.length} of ${wanted.length} migrations are missing, from ${missing[0]} on`,
    ].join(", "),
    isTrouble: isOther || missing.length > 0,
  };
}

function describeWork(status: Status): Line[] {
  const { clockSeconds, model, queues } = status;
  const troubles = findTroubles(status);
  const waiting = queues.filter((queue) => queue.waiting > 0);
  return [
    {
      name: "Clock",
      text: clockSeconds === null ? "has never run" : `ran ${showAge(clockSeconds)} ago`,
      isTrouble: troubles.includes("clock"),
    },
    { name: "Model", text: describeModel(model), isTrouble: troubles.includes("model") },
    {
      name: "Queues",
      text:
        waiting.map(({ name, waiting, seconds }) =>
          `${name} ${waiting < 1_000 ? waiting : "1000 or more"} (the first is due since ${showAge(seconds ?? 0)})`
        ).join(", ") || "nothing waits",
      isTrouble: waiting.some(({ name }) => troubles.includes(name)),
    },
  ];
}

function describeModel({ checkedSeconds, failedSeconds, failure }: Status["model"]): string {
  if (failedSeconds !== null) return `its server has not answered for ${showAge(failedSeconds)}: ${failure}`;
  return checkedSeconds === null ? "was not asked yet" : `its server answered ${showAge(checkedSeconds)} ago`;
}

function describeDetails(details: Status["details"]): Line[] {
  if (details === null) return [];
  const { errors, lastError, webhooks, mails, budgets, sizes } = details;
  const failed = errors.map(({ kind, code, count }) => code === null ? countOf(count, kind) : `${count} ${code}`);
  const rows = Object.entries(sizes.rows).map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`);
  const because = (error: string | null) => error === null ? "" : `: ${error}`;
  const last = lastError === null
    ? ""
    : `; the last ${showAge(lastError.seconds)} ago, ${lastError.kind}: ${lastError.error}` +
      (lastError.requestId === null ? "" : ` (${lastError.requestId})`);
  return [
    { name: "Errors", text: `${failed.join(", ") || "none"} within a day${last}` },
    {
      name: "Deliveries",
      text: `failing webhooks: ${webhooks.failing} of ${webhooks.count}${because(webhooks.lastError)}; ` +
        `mails to be sent again: ${mails.failing}${because(mails.lastError)}; ` +
        `refused addresses: ${mails.refusedAddresses}`,
    },
    {
      name: "Budgets",
      text: budgets.map(({ accountName, id, percent }) => `${percent} % of ${accountName} (${id})`).join(", ") ||
        "none runs low",
    },
    {
      name: "Sizes",
      text: [`database ${showSize(sizes.databaseBytes)}`, `files ${showSize(sizes.fileBytes)}`, ...rows].join(", "),
    },
  ];
}

function showAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

function showSize(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
