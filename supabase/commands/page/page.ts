import { join, resolve } from "node:path";
import { decodeJwt } from "jose";
import { digestApiKey } from "../../../shared/core/auth/digest.ts";
import { isPublishable } from "../../../shared/core/auth/shown_key.ts";
import { CommandError, errorMessage, readArguments, refuseCall, runProgram } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { type PageSettings, readCoaches } from "./build_page.ts";
import { writePage } from "./write_page.ts";

/** The text of `--help`. */
export const help = `npm run page -- --base-url URL --key hi_pub_… --supabase-key KEY [--coach ID] [--out FOLDER]

Builds the chat page, the expert's desk and the consent page as a folder of static files, for any static host.

  --base-url URL      the project's address, such as https://<project ref>.supabase.co
  --key KEY           a publishable key of the account, hi_pub_…, that lists the page's origin
  --supabase-key KEY  the project's own publishable or anon key, used to sign visitors in
  --coach ID          the coach to talk to; without it, visitors choose one that the key gives access to
  --out FOLDER        where the files go; default: supabase/.temp/page
  --help              show this text

Everyone who opens a page can read these values, so secret keys are rejected.

If the environment has API_KEY, a secret key of the account, each coach (or the one of --coach) gets a page of its own in
the folder named after its slug, with the title, description and picture that a shared link shows. The folders of coaches
that are paused, renamed or deleted are removed. The greeting of --coach is written into the page: it is shown without a
request then, and visitors become users of the project with their first message. Build the page again when a coach
changes. The key itself is not written.

Exit codes: 0 done, 1 the pages could not be built, 2 wrong usage.`;

/** The settings of `npm run page`. */
export type PageCommand = { settings: PageSettings; folder: string };

/** Reads the command line; null for `--help`. @throws {CommandError} saying what is wrong, without any key */
export function readPageSettings(
  args: string[],
  { workingFolder, usualFolder }: { workingFolder: string; usualFolder: string },
): PageCommand | null {
  const option = { type: "string" } as const;
  const options = { "base-url": option, key: option, "supabase-key": option, coach: option, out: option };
  const { values } = readArguments("page", args, options, false);
  if (values.help) return null;
  return {
    settings: {
      baseUrl: readBaseUrl(values["base-url"]),
      key: readKey(values.key),
      supabaseKey: readSupabaseKey(values["supabase-key"]),
      coach: values.coach ?? "",
      coaches: "",
    },
    folder: values.out === undefined ? usualFolder : resolve(workingFolder, values.out),
  };
}

function readBaseUrl(text: string | undefined): string {
  if (text === undefined) refuse("--base-url is missing: the address of the service.");
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url === null || url.protocol !== "https:" && !isLocal || url.href !== `${url.origin}/`) {
    refuse(`--base-url must be an address like https://<project ref>.supabase.co, not ${text}.`);
  }
  return url.origin;
}

function readKey(key: string | undefined): string {
  if (key === undefined) refuse("--key is missing: a publishable key of the account.");
  if (digestApiKey(key) === null) refuse("--key is not a key of this service, or is mistyped.");
  if (!isPublishable(key)) refuse("--key is a secret key. A page needs a publishable one, hi_pub_….");
  return key;
}

function readSupabaseKey(key: string | undefined): string {
  if (key === undefined) refuse("--supabase-key is missing: the project's publishable or anon key.");
  if (key.startsWith("sb_publishable_") || roleOf(key) === "anon") return key;
  return refuse(
    "--supabase-key must be the project's publishable key, sb_publishable_…, or its anon key. Any other key of the " +
      "project is secret.",
  );
}

/** The role in a key of Supabase's older kind, which is a token. */
function roleOf(key: string): unknown {
  try {
    return decodeJwt(key).role;
  } catch {
    return undefined;
  }
}

function refuse(sentence: string): never {
  refuseCall("page", sentence);
}

/** `npm run page`: builds the chat page and the expert's desk for a host of static files. */
if (import.meta.main) {
  await runProgram(async () => {
    const command = readPageSettings(Deno.args, {
      // npm runs its scripts in the project's own folder.
      workingFolder: Deno.env.get("INIT_CWD") || Deno.cwd(),
      usualFolder: join(projectRoot, "supabase/.temp/page"),
    });
    if (command === null) console.log(help);
    else {
      const { folder, settings } = command;
      const apiKey = Deno.env.get("API_KEY");
      if (apiKey) {
        const read = (coach: string) =>
          readCoaches(settings.baseUrl, apiKey, coach).catch((error) => {
            throw new CommandError(`The coaches cannot be read with API_KEY: ${errorMessage(error)}`);
          });
        settings.personas = await read(settings.coach);
        if (settings.coach) settings.coaches = settings.personas;
      }
      await writePage(folder, settings);
      console.log(`${folder}

Put these files on any static host, such as Netlify, Cloudflare Pages, Vercel or your own server. Its address
must be one of the key's origins. The expert's desk is at desk/, the consent page for AI clients at
oauth/consent/. The HTTP headers are in _headers, vercel.json, .htaccess and headers.nginx.conf.`);
    }
  });
}
