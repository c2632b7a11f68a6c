import { release } from "../../../shared/base/release.ts";
import { findTroubles } from "../../../shared/core/status/find_troubles.ts";
import type { Status } from "../../../shared/core/status/read_status.ts";
import { showHarmlessly } from "../admin/show_harmlessly.ts";
import type { AnsweringFunctions } from "./ask_functions.ts";

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
    {
      name: "Version",
      text: `${functions.version ?? "not known"}${
        functions.version === release.version ? "" : `; this folder has ${release.version}`
      }`,
      isTrouble: functions.version !== release.version,
    },
    {
      name: "Functions",
      text: functions.silent.length === 0
        ? `all ${functions.count} answer`
        : `${functions.silent.length} of ${functions.count} do not answer: ${functions.silent.join(", ")}`,
      isTrouble: functions.silent.length > 0,
    },
    ...typeof status === "string"
      ? [{ name: "Database", text: status, isTrouble: true }]
      : [...describeWork(status), ...describeDetails(status.details, known.migrations)],
  ];
  const width = Math.max(...lines.map(({ name }) => name.length)) + 2;
  return {
    text: lines.map(({ name, text, isTrouble }) =>
      `${isTrouble ? "!" : " "} ${name.padEnd(width)}${text.split("\n").map(showHarmlessly).join(" ")}`
    ).join("\n"),
    isWell: !lines.some(({ isTrouble }) => isTrouble),
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

function describeDetails(details: Status["details"], wanted: string[]): Line[] {
  if (details === null) return [];
  const { migrations, errors, lastError, webhooks, mails, budgets, sizes } = details;
  const missing = migrations === null ? [] : wanted.filter((version) => !migrations.includes(version));
  const failed = errors.map(({ kind, code, count }) => `${count} ${code ?? kind}`).join(", ");
  const rows = Object.entries(sizes.rows).map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`);
  const because = (error: string | null) => error === null ? "" : `: ${error}`;
  return [
    {
      name: "Migrations",
      text: migrations === null
        ? "not known"
        : missing.length === 0
        ? `all ${wanted.length}`
        : `${missing.length} of ${wanted.length} are missing, from ${missing[0]} on`,
      isTrouble: missing.length > 0,
    },
    { name: "Errors", text: `${failed || "none"} within a day` },
    ...lastError === null ? [] : [{
      name: "Last error",
      text: `${showAge(lastError.seconds)} ago, ${lastError.kind}: ${lastError.error}` +
        (lastError.requestId === null ? "" : ` (${lastError.requestId})`),
    }],
    { name: "Webhooks", text: `${webhooks.failing} of ${webhooks.count} fail${because(webhooks.lastError)}` },
    {
      name: "Mails",
      text: `${mails.failing} are tried again${because(mails.lastError)}; ${mails.refusedAddresses} addresses refused`,
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
