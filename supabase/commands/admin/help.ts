import {
  type Bounds,
  maxOutputTokensBounds,
  reasoningEfforts,
  temperatureBounds,
  verbosities,
} from "../../../shared/infra/model_settings.ts";

const rangeOf = ({ least, most }: Bounds) => `${least} to ${most}`;

/** The text of `--help`, from which `helpOf` takes what belongs to one command. */
export const help = `npm run admin -- <command> [--json]

Manages the accounts, coaches, keys and users of a project, and the pinned answers, open questions
and tests of its coaches. Shows usage and conversations.

  account create <name>
  account list
  account retention --account ID --days N
  account history --account ID [--limit N]
  account delete <account id> [--yes]
  coach create <file.md> --account ID [--owner USER] [--sources-are-open]
  coach update <coach id> <file.md> [--owner USER] [--sources-are-open]
  coach list [--account ID]
  coach show <coach id>
  coach history <coach id>
  coach restore <coach id> <version>
  expert list --coach ID
  expert add <user id> --coach ID [--role ROLE]
  expert remove <user id> --coach ID
  expert invite --account ID [--coach ID] [--role ROLE] [--email ADDRESS]
            [--desk ADDRESS]
  question list --coach ID [--status STATUS] [--since DAY] [--limit N]
  question dismiss <question id>
  answer add --coach ID --question TEXT [--answer TEXT] [--answer-file FILE]
            [--variant TEXT]
  answer list --coach ID
  answer show <answer id>
  answer update <answer id> [--question TEXT] [--answer TEXT] [--answer-file FILE]
            [--variant TEXT] [--active YES]
  answer remove <answer id>
  answer import <file> --coach ID [--preview]
  answer export --coach ID [--output FILE]
  source add <url> --coach ID [--kind KIND] [--refresh TIME] [--limit N]
  source list --coach ID
  source show <source id>
  source refresh <source id>
  source remove <source id>
  test run --coach ID [--draft] [--judge] [--junit FILE]
  test list --coach ID
  test import <file> --coach ID [--format FORMAT]
  test export --coach ID [--format FORMAT] [--run ID] [--output FILE]
  thread find [--coach ID] [--account ID] [--search WORDS] [--user ID] [--down]
            [--needs-reply] [--limit N]
  thread show <thread id>
  key issue --account ID --name NAME [--scopes LIST] [--expires DAY]
            [--coach ID] [--per-minute N] [--per-hour N] [--per-day N]
            [--tasks] [--footnotes]
            [--publishable [--origin ORIGIN] [--allow-no-origin] [--mcp]
             [--total-per-minute N] [--total-per-hour N] [--total-per-day N]
             [--anonymous-per-minute N] [--anonymous-per-hour N]
             [--anonymous-per-day N] [--anonymous-total-per-minute N]
             [--anonymous-total-per-hour N] [--anonymous-total-per-day N]]
  key list [--account ID]
  key show <key id>
  key rotate <key id> [--overlap HOURS]
  key revoke <key id>
  budget set --account ID [--key ID | --coach ID] [--each-user]
            (--tokens N | --usd N) --period PERIOD [--mode MODE] [--soft N]
            [--anonymous-tokens N | --anonymous-usd N]
  budget list [--account ID]
  budget show <budget id>
  budget remove <budget id>
  issuer set <name> --account ID --issuer ISSUER --jwks URL --audience AUDIENCE
  issuer list [--account ID]
  issuer remove <name> --account ID
  webhook set --account ID --url URL [--rotate] [--private]
  webhook show --account ID
  webhook test --account ID
  webhook remove --account ID
  price import <file.json> --format FORMAT --provider NAME [--allow-free]
  price set [<model> | --default] --input USD --output USD [--cached USD]
            [--reasoning USD] [--allow-free]
  price list
  price remove [<model> | --default]
  usage [--from DAY] [--to DAY] [--account ID] [--key ID] [--coach ID] [--by LIST]
  reindex file <file id>
  reindex coach <coach id>
  user list --account ID [--limit N]
  user show <user id> --account ID
  user export <user id> --account ID [--output FILE]
  user erase <user id> --account ID [--yes]

A coach is a Markdown file: its body is the instructions, its front matter is everything else.

  ---
  name: Ada Byron
  title: Mathematics Coach
  greeting: What shall we compute?  # shown before the first message (none)
  starters:                         # up to 6 suggested questions (none)
    - What is a proof?
    - How do I begin?
  model: gpt-6.1-sol                # (the deployment's)
  reasoning_effort: low             # (the deployment's)
  verbosity: medium                 # (the deployment's)
  max_output_tokens: 4000           # including reasoning (the deployment's)
  store_responses: true             # at the model's server (the deployment's)
  language: english                 # the language of its files (english)
  history_limit: 20                 # messages sent to the model, 0 to 200 (20)
  no_answer: I have to ask first.   # sent when it does not know (a default text)
  takeover_notice: I will write to you myself.
                                    # sent during a takeover (a default text)
  takeover_minutes: 60              # after the expert's last message, the takeover ends (60)
  sources_are_open: false           # whether whoever may talk to it may read its files (false)
  id: ada                           # the coachId of the API (a new UUID)
  ---
  Ask before you tell.

Name, title and body are required. The other fields have the defaults in parentheses. An update
replaces all of them: a field that is not in the file is reset to its default. An update does not
change the ID, the account, the owner, or whether the coach is active.

  reasoning_effort   ${reasoningEfforts.join(", ")}
  verbosity          ${verbosities.join(", ")}
  max_output_tokens  ${rangeOf(maxOutputTokensBounds)}
  temperature        ${rangeOf(temperatureBounds)}; only for models that do not reason

  --owner USER     (coach create) the user ID of the first owner of the coach
  --owner USER     (coach update) the user ID of the owner; none removes the owner. Without it, the owner
                   does not change.
  --role ROLE      (expert add) owner, editor or answerer; default: answerer
  --role ROLE      (expert invite) owner, editor or answerer; default: owner
  --email ADDRESS  whom the invitation is for
  --desk ADDRESS   the address of the desk, to print a link instead of a token
  --sources-are-open
                   whoever may talk to the coach may also read its files, as sources_are_open: true in
                   the file
  --status STATUS  open, answered or dismissed; default: open. Questions that most people asked come
                   first.
  --since DAY      only questions that were asked on this day or later
  --variant TEXT   (answer add) another way to ask the question; may be repeated, up to 20 times
  --variant TEXT   (answer update) the same; the new variants replace the existing ones
  --answer TEXT, --answer-file FILE
                   the expert's answer, on the command line or in a file
  --active YES     yes or no: an inactive pinned answer is no longer given
  --preview        only show what an import would do
  --kind KIND      page, site (all pages below the address) or feed; default: page
  --refresh TIME   when the address is read again: never, daily or weekly; default: never
  --draft          ask the persona as it would be if its draft were published
  --judge          a language model judges the rubrics of tests, which uses tokens
  --junit FILE     also write the results to a file as JUnit XML, which CI systems read
  --run ID         in the format ragas: the run whose answers are written; default: the latest one that
                   is done
  --search WORDS   words in the title or the messages, best match first; requires --coach or --user
  --down           only threads with an answer that has a thumbs-down
  --needs-reply    only threads in which somebody is waiting for the expert
  --limit N        (question list, user list) how many are shown; default: 50
  --limit N        (thread find) how many are shown; default: 20
  --limit N        (account history) how many acts are shown, the newest first; default: 100
  --limit N        (source add) the maximum number of pages; default: 500
  --scopes LIST    the scopes of the key; default: chat,threads:read,threads:write,knowledge:read,knowledge:write
  --account ID     an account: see account list
  --coach ID       a coach: see coach list
  --coach ID       (key issue) restrict the key to a coach; may be repeated. Default: all coaches of the
                   account
  --coach ID       (expert invite) the coach; without it, the invited person makes one
  --coach ID       (budget set) what is used with this coach alone counts
  --key ID         only what was used with this key: see key list
  --key ID         (budget set) what is used with this key and its successors alone counts
  --name NAME      what the key is called
  --tasks          for chat interfaces behind the OpenAI-compatible API: their requests for titles, tags
                   and similar tasks are recognized by their texts, and bypass the persona
  --footnotes      for the same: answers end with numbered lines that name their sources
  --publishable    a key that may be visible in the source of a page. It works only for signed-in users,
                   who reach only their own data. Its scopes are chat,threads:read,threads:write or
                   fewer.
  --origin ORIGIN  the origin of a page that may use the key, such as https://app.example.com; may be
                   repeated
  --allow-no-origin
                   also accept requests without an origin, which native apps send
  --mcp            the key may be part of the MCP server's address, which AI clients are given:
                   /functions/v1/mcp/<key>. Their users sign in with OAuth. It needs no origin.
  --total-per-minute N, --total-per-hour N, --total-per-day N
                   how many requests all users of the key may send together; default: a hundred times
                   the limits of each user, which are --per-minute, --per-hour and --per-day
  --anonymous-per-minute N, --anonymous-per-hour N, --anonymous-per-day N
                   how many requests each anonymous user may send; default: half as many as others
  --anonymous-total-per-minute N, --anonymous-total-per-hour N, --anonymous-total-per-day N
                   how many of the requests of all users may be from anonymous ones; default: half.
                   The rest is for users who have signed up.
  --expires DAY    the key stops working at the beginning of this day; default: never
  --per-minute N, --per-hour N, --per-day N
                   how many requests the key may send; default: 60, 1000 and 10000
  --each-user      the amount is for each user; without it, all users share it
  --tokens N, --usd N
                   how much may be used in a period: tokens of language models, or US dollars
  --period PERIOD  day, week, month or total, in UTC
  --mode MODE      block or warn; default: block. What does not fit into a blocking budget is refused.
  --soft N         the percentage from which on the webhook is told; default: 80
  --anonymous-tokens N, --anonymous-usd N
                   with --each-user: how much all anonymous users together may use; default: ten times
                   the amount
  --days N         how long threads are kept after their last message, 1 to 3650; none: until somebody
                   deletes them. The first threads are erased an hour later.
  --overlap HOURS  how long the old key still works, 0 to 8760; default: 24. The new key has the
                   same scopes and limits, and is valid for the same length of time.
  --from DAY, --to DAY
                   the first and last day; default: the last 30 days
  --by LIST        how to group the lines: any of day,account,api_key,coach; default:
                   day,api_key,coach. Requests and refusals are counted before the coach is known,
                   so they appear in lines without a coach. With user or model, any of
                   day,api_key,coach,user,model: what the stored answers of one --account say,
                   without costs (supabase/docs/operating.md)
  --format FORMAT  (price import) models.dev or litellm
  --format FORMAT  (test import) promptfoo (CSV) or jsonl; default: by the ending of the file
  --format FORMAT  (test export) promptfoo (CSV), jsonl or ragas (JSONL with the answers of a run);
                   default: promptfoo
  --provider NAME  the provider's name in that list, such as openai
  --default        the price of all models that have none of their own
  --input USD, --cached USD, --output USD, --reasoning USD
                   (price set) prices in USD per million tokens; without --cached as --input, without
                   --reasoning as --output
  --allow-free     accept prices of zero
  --output FILE    write to a file that only you can read
  --rotate         make a new secret; the old one is no longer used
  --private        the address may be in a private network and start with http://. The functions send
                   to it only if WEBHOOK_ALLOW_PRIVATE_ADDRESSES is true
  --yes            (account delete) delete; without it, what would be deleted is only shown
  --yes            (user erase) skip the confirmation
  --url URL        the address that is told
  --question TEXT  what is asked
  --issuer ISSUER  the claim iss of the tokens
  --jwks URL       where the public keys are
  --audience AUDIENCE
                   the claim aud of the tokens
  --user ID        only threads of this user
  --json           print the result as one JSON value, and nothing else on stdout
  --help           show this text

issuer set lets users of an application's own login use the account. Their tokens must have ISSUER as
iss and AUDIENCE as aud, and be signed with a key published at URL. The IDs of these users begin with
<name>, which has up to 32 characters of a-z, 0-9 and -. An issuer with the same name is replaced. The
change takes effect within a minute.
coach history shows each version of a coach, with what was changed; coach restore makes the coach what
it was in one of them. That brings back what experts edit at the desk, and no other setting.
budget set limits what may be spent on language models: see supabase/docs/budgets.md. Setting the
budget of the same account, key or coach, unit and period again changes it; what was used stays.
expert add makes a user an expert of a coach, or changes the role: see supabase/docs/expert.md. expert
invite makes a link with which one person can become an expert within seven days; without --coach,
that person makes a coach of their own.
source add has a coach know the pages of the web at an address: see supabase/docs/sources.md. source
remove deletes them.
test run asks the questions of a coach's tests, waits for the results, and shows what newly fails
first. Its exit code is 1 if a test fails that passed before, or if nothing could be judged. Ctrl-C
stops the run. test import adds all tests of a file, or none, and skips those that the coach has
already: see supabase/docs/test_files.md.
answer import pins the answers of a CSV file with the columns question and answer, all of them or
none: see supabase/docs/expert.md. answer export writes such a file.
webhook set sends the account's events that an expert should know about to URL: see
supabase/docs/webhooks.md. An account has one webhook. Setting it again changes its address and
reactivates it, but keeps its secret.
price import reads the prices of a provider's models from a file of models.dev (api.json) or LiteLLM
(model_prices_and_context_window.json). Prices that were set by hand stay.
Days look like 2026-12-31 and are in UTC.
The tables of coach list and key list are shortened: with --json, they show everything but the
instructions. coach show and key show display one of them completely. Where coach show says default,
the value comes from the deployment's variable or, if that is not set, from the default in
supabase/docs/variables.md.
reindex reads files again from the beginning. Until then, their old text can still be found.
user export and user erase cover the user's threads and messages in one account. Erasing also
deletes what the model's server has stored of them. The usage counts and the user's login are kept.
usage --by user or model adds up what the stored answers say: their models, their tokens and the users
of their threads. It has no costs, and nothing that is not an answer that is still there: not what was
erased or is past the account's retention, no titles, searches, judges and read pictures.
user list shows the users who were active last, with the email addresses that Auth knows.
account retention erases threads in which nobody has written for some days: see
supabase/docs/operating.md. It does not wait for a confirmation, but for an hour.
account history shows who did what in the last year: experts, servers with a key, and operators.
account delete deletes an account with everything that belongs to it: coaches, conversations, files,
keys and usage counts. It cannot be undone. Its keys end first; if it is interrupted, run it again.

The project is read from the environment or, if not set there, from .env.local, which npm start writes:

  BASE_URL    its address, such as https://<project ref>.supabase.co
  SECRET_KEY  its secret key

npm itself prints lines on stdout. To get only the JSON: npm run --silent admin -- … --json

Exit codes: 0 success, 1 failure, 2 wrong usage, 130 declined.`;

/** The part of the help about coach files. */
const coachFile = help.slice(help.indexOf("A coach is a Markdown file"), help.indexOf("  --owner USER ")).trimEnd();

/**
 * The help of one command: its usage, its options, and how a coach file looks where it reads one. Of an option that
 * several commands have, what is said in brackets for this one; without that, what is said for all.
 *
 * @param words that the command begins with; one word shows the usage of all commands that begin with it
 */
export function helpOf(words: string): string {
  const usages = Array.from(help.matchAll(new RegExp(`^  ${words}\\b.*(\n {12,}.*)*`, "gm")), ([usage]) => usage);
  const all = "All commands: npm run admin -- --help";
  if (usages.length > 1) {
    return [usages.join("\n"), `Options: npm run admin -- ${words} <command> --help`, all].join("\n\n");
  }
  const [usage = ""] = usages;
  const names: string[] = usage.match(/--[a-z-]+/g) ?? [];
  const entries = Array.from(help.matchAll(/^ {2}--(.*)(\n {19}.*)*/gm), ([entry]) => {
    const [mark = "", scope = ""] = /\((\w+ \w+(?:, \w+ \w+)*)\) /.exec(entry) ?? [];
    return { scope, text: entry.replace(mark, ""), names: entry.slice(0, 60).match(/--[a-z-]+/g)! };
  });
  const ofOne = entries.filter(({ scope }) => scope.split(", ").includes(words));
  const ofAll = entries.filter((entry) =>
    entry.scope === "" && !ofOne.some((own) => own.names.some((name) => entry.names.includes(name)))
  );
  const options = entries.filter((entry) =>
    (ofOne.includes(entry) || ofAll.includes(entry)) && entry.names.some((name) => [...names, "--json"].includes(name))
  );
  return [
    `npm run admin --${usage.slice(1)} [--json]`,
    ...(usage.includes("<file.md>") ? [coachFile] : []),
    options.map(({ text }) => text).join("\n"),
    all,
  ].join("\n\n");
}
