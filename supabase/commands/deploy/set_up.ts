import type { MailServer } from "../../../shared/libs/mail/send_mail.ts";
import { CommandError, errorMessage } from "../command_error.ts";
import type { writePage } from "../page/write_page.ts";
import type { AnswersFile } from "./read_answers.ts";
import type { DeploySettings } from "./read_deploy_settings.ts";
import { listAccountItems } from "./set_up_account.ts";
import { listAuthItems } from "./set_up_auth.ts";
import type { SupabaseCli } from "./supabase_cli.ts";

/** A project that is set up, and what is known about it. */
export type SetUpOptions = AnswersFile & {
  settings: DeploySettings;
  cli: SupabaseCli;
  management: { api: string; accessToken: string | undefined };
  /** Null: none is known. */
  secretKey: string | null;
  hasClock: boolean;
  /** The names of the secrets that the project has. */
  secretNames: string[];
  setSecrets: (secrets: Map<string, string>) => Promise<void>;
  /** The mail server in the file of secrets. */
  mail: MailServer | null;
  /** The file for what is shown only once. Git ignores it. */
  keysFile: string;
  /** The folder of built pages without another answer. */
  usualPagesFolder: string;
  writePage: typeof writePage;
  /** Hides a text in everything that is printed from now on. */
  hide: (secret: string) => void;
  signal: AbortSignal;
};

/** Something that a project needs: whether it has it, or what is left to do, and where. */
export type Tick = { state: "done" | "unwanted" | "open"; text: string; link?: string };

/** The states of one thing: the project has it, it is not wanted, or it is left to do. */
export const done = (text: string): Tick => ({ state: "done", text });
export const unwanted = (text = "not wanted"): Tick => ({ state: "unwanted", text });
export const open = (text: string, link?: string): Tick => ({ state: "open", text, ...link !== undefined && { link } });

/** Looks whether a project has something, and gives it that if it can. What fails rejects. */
export type SetUpItem = { name: string; take: () => Promise<Tick> };

const marks = { done: "[x]", unwanted: "[-]", open: "[ ]", failed: "[!]" };

/**
 * Goes through everything that a project needs besides the functions, does what is left, and says what remains. It can
 * be called again and again: what is there already is only ticked.
 *
 * @throws {CommandError} if something was refused; everything else was done all the same.
 */
export async function setUp(options: SetUpOptions, say: (text: string) => void): Promise<void> {
  const { projectRef } = options.settings;
  const items = [...listProjectItems(options), ...listAuthItems(options), ...listAccountItems(options)];
  const states: (keyof typeof marks)[] = [];
  for (const { name, take } of items) {
    options.signal.throwIfAborted();
    let shown: Omit<Tick, "state"> & { state: keyof typeof marks };
    try {
      shown = await take();
    } catch (error) {
      options.signal.throwIfAborted();
      shown = { state: "failed", text: errorMessage(error) };
    }
    const { state, text, link } = shown;
    states.push(state);
    say([`  ${marks[state]} ${name}: ${text}`, ...link === undefined ? [] : [link]].join("\n      "));
  }
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  if (count("open") + count("failed") === 0) return say("Everything is set up.");
  say(
    `${count("open") + count("failed")} of ${items.length} remain. To go on: ` +
      `npm run deploy -- ${projectRef} --setup-only`,
  );
  if (count("failed") > 0) throw new CommandError("What is marked with [!] failed; the rest was done.");
}

/** The address of a page of the dashboard. */
export function dashboard({ settings: { projectRef } }: SetUpOptions, page: string): string {
  return `https://supabase.com/dashboard/project/${projectRef}/${page}`;
}

/** The set-up of the project as a whole: its clock, and what the mailer needs. */
function listProjectItems(options: SetUpOptions): SetUpItem[] {
  const { answers: { pages, mail }, secretNames, setSecrets } = options;
  return [
    {
      name: "Clock",
      take() {
        if (options.hasClock) return Promise.resolve(done("the database calls the indexer every minute"));
        const text =
          "the database does not call the indexer yet, so that files, digests and sources wait for the next " +
          "upload. The access token may not read a secret key: set SMOKE_SECRET_KEY to one, or paste this into the SQL " +
          `editor: select vault.create_secret('${options.settings.smoke.url}', 'project_url'); ` +
          "select vault.create_secret('sb_secret_…', 'secret_key');";
        return Promise.resolve(open(text, dashboard(options, "sql/new")));
      },
    },
    {
      name: "Mail of the service",
      take() {
        const isSet = ["SMTP_URL", "MAIL_FROM"].every((name) => secretNames.includes(name));
        const text = "add SMTP_URL and MAIL_FROM to the file with the secrets (supabase/docs/mail.md), and deploy " +
          "again. Until then, nobody is told by email that they are needed";
        return Promise.resolve(
          isSet ? done("SMTP_URL and MAIL_FROM are set") : mail === false ? unwanted() : open(text),
        );
      },
    },
    {
      name: "Addresses in mails",
      async take() {
        const lacking = ["PAGE_URL", "DESK_URL"].filter((name) => !secretNames.includes(name));
        if (lacking.length === 0) return done("PAGE_URL and DESK_URL are set");
        if (pages === false || mail === false) return unwanted();
        if (pages === undefined) return open("answer pages: mails link to the pages");
        const addresses: Record<string, string> = { PAGE_URL: pages, DESK_URL: `${pages}desk/` };
        await setSecrets(new Map(lacking.map((name) => [name, addresses[name]!])));
        return done(`${lacking.join(" and ")} set to those of ${pages}`);
      },
    },
  ];
}
