import {
  type Bounds,
  maxOutputTokensBounds,
  reasoningEfforts,
  temperatureBounds,
  verbosities,
} from "../../../shared/infra/model_settings.ts";

const rangeOf = ({ least, most }: Bounds) => `${least} to ${most}`;

/** The text of `--help`. */
export const help = `npm run admin -- <command> [--json]

Manages the accounts, coaches, keys and users of a project, what the experts behind its coaches have
said and are asked, and shows its usage and its conversations.

  account create <name>
  account list
  coach create <file.md> --account ID [--owner USER]
  coach update <coach id> <file.md> [--owner USER]
  coach list [--account ID]
  coach show <coach id>
  question list --coach ID [--status STATUS] [--since DAY] [--limit N]
  question dismiss <question id>
  answer add --coach ID --question TEXT [--answer TEXT] [--answer-file FILE]
            [--variant TEXT]
  answer list --coach ID
  answer show <answer id>
  answer update <answer id> [--question TEXT] [--answer TEXT] [--answer-file FILE]
            [--variant TEXT] [--active YES]
  answer remove <answer id>
  thread find [--coach ID] [--account ID] [--search WORDS] [--user ID] [--down]
            [--needs-reply] [--limit N]
  thread show <thread id>
  key issue --account ID --name NAME [--scopes LIST] [--expires DAY]
            [--coach ID] [--per-minute N] [--per-hour N] [--per-day N]
            [--publishable [--origin ORIGIN] [--allow-no-origin]
             [--total-per-minute N] [--total-per-hour N] [--total-per-day N]]
  key list [--account ID]
  key rotate <key id> [--overlap HOURS]
  key revoke <key id>
  issuer set <name> --account ID --issuer ISSUER --jwks URL --audience AUDIENCE
  issuer list [--account ID]
  issuer remove <name> --account ID
  webhook set --account ID --url URL [--rotate] [--private]
  webhook show --account ID
  webhook test --account ID
  webhook remove --account ID
  usage [--from DAY] [--to DAY] [--account ID] [--key ID] [--coach ID] [--by LIST]
  reindex file <file id>
  reindex coach <coach id>
  user export <user id> --account ID [--output FILE]
  user erase <user id> --account ID [--yes]

A coach is a Markdown file: its body is the instructions, its front matter is everything else.

  ---
  name: Ada Byron
  title: Mathematics Coach
  greeting: What shall we compute?  # what applications may show first (none)
  starters:                         # questions that they may suggest, at most 6 (none)
    - What is a proof?
    - How do I begin?
  model: gpt-6.1-sol                # (the deployment's)
  reasoning_effort: low             # how long it thinks (the deployment's)
  verbosity: medium                 # how much it says (the deployment's)
  max_output_tokens: 4000           # of an answer and its reasoning (the deployment's)
  store_responses: true             # whether the model's server keeps them (the deployment's)
  language: english                 # of its files (english)
  history_limit: 20                 # how many messages the model is shown, 0 to 200 (20)
  no_answer: I have to ask first.   # how it says that it does not know (a usual sentence)
  takeover_notice: I will write to you myself.
                                    # to who asks while the expert has taken over (a usual sentence)
  takeover_minutes: 60              # how long that lasts after the expert's last message (60)
  id: ada                           # the coachId of the API (a new UUID)
  ---
  Ask before you tell.

Name, title and body are required; the other fields have the defaults in brackets. An update
replaces all of them: a field that the file leaves out goes back to its default. It changes neither
the id, nor the account, the owner, or whether the coach is active.

  reasoning_effort   ${reasoningEfforts.join(", ")}
  verbosity          ${verbosities.join(", ")}
  max_output_tokens  ${rangeOf(maxOutputTokensBounds)}
  temperature        ${rangeOf(temperatureBounds)}; only for models that do not reason

  --owner USER     the id of the user account of the expert behind the coach; in an update, none for
                   nobody. Left out, the owner stays.
  --status STATUS  open, answered or dismissed; default: open. The list has what most people ask first.
  --since DAY      only what was asked on this day or later
  --variant TEXT   another way to ask the question; several times for several, at most 20. In an
                   update, these replace the earlier ones.
  --answer TEXT, --answer-file FILE
                   what the expert says, on the command line or in a file
  --active YES     yes, or no: then the pinned answer is not given any more
  --search WORDS   words in the title or the messages, best match first; needs --coach or --user
  --down           only threads in which an answer has a thumbs-down
  --needs-reply    only threads in which somebody waits for the expert
  --limit N        how many; default: 50 questions, 20 threads
  --scopes LIST    what the key may do; default: chat,threads:read,threads:write,knowledge:read,knowledge:write
  --coach ID       bind the key to a coach; several times for several. Default: all of the account
  --publishable    a key that may stand in the source of a page: it admits only users who are signed
                   in, each to what is theirs. Its scopes are chat,threads:read,threads:write or fewer.
  --origin ORIGIN  the origin of pages that may use it, such as https://app.example.com; several times
                   for several
  --allow-no-origin
                   requests without an origin may use it too, as native apps send them
  --total-per-minute N, --total-per-hour N, --total-per-day N
                   how many requests all users of it together may send; default: a hundred times the
                   limits of each user, which are --per-minute, --per-hour and --per-day
  --expires DAY    the key stops working when this day begins; default: never
  --per-minute N, --per-hour N, --per-day N
                   how many requests the key may send; default: 60, 1000 and 10000
  --overlap HOURS  how long the old key still works, 0 to 8760; default: 24. The new key has the
                   same scopes and limits, and is valid for the same length of time.
  --from DAY, --to DAY
                   the first and last day; default: the last 30 days
  --by LIST        what the lines are grouped by, any of day,account,api_key,coach; default:
                   day,api_key,coach. Requests and refusals are counted before the coach is known,
                   so they are in lines without a coach.
  --output FILE    write to a file, which only you can read
  --rotate         make a new secret; the earlier one signs nothing any more
  --private        the address may be in a private network, and begin with http://. The functions send
                   nothing to it unless WEBHOOK_ALLOW_PRIVATE_ADDRESSES is true
  --yes            do not ask
  --json           print the result as one JSON value, and nothing else on stdout
  --help           show this text

issuer set has tokens of an application's own login sign in users of the account: those whose iss is
ISSUER and whose aud is AUDIENCE, signed with a key that is published at URL. The ids of these users
begin with <name>, which has at most 32 of a-z, 0-9 and -. Of one name a later issuer replaces the
earlier. It takes effect within a minute.
webhook set has the account's events that an expert should hear of sent to URL: see
supabase/docs/webhooks.md. An account has one webhook; setting it again changes its address, makes it
active again, and leaves its secret as it is.
Days look like 2026-12-31 and are in UTC.
coach list shows everything but the instructions: --json has more than the table. coach show shows
all of one coach. Where it says default, the deployment's variable decides, or else the default in
supabase/docs/variables.md.
reindex reads files again from the beginning. Until then their old text can still be found.
user export and user erase cover the user's threads and messages in one account. Erasing also
deletes what the model's backend keeps of them; the counted usage and the user's login stay.

The project is read from the environment, or else from .env.local, which npm start writes:

  BASE_URL    its address, such as https://<project ref>.supabase.co
  SECRET_KEY  its secret key

npm prints lines of its own on stdout. To get JSON alone: npm run --silent admin -- … --json

Exit codes: 0 done, 1 failed, 2 called wrongly, 130 declined.`;
