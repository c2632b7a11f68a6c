/** What `--help` says. */
export const help = `npm run admin -- <command> [--json]

Works on the accounts, coaches, keys, usage and users of a project.

  account create <name>
  account list
  coach create <file.md> --account ID
  coach update <coach id> <file.md>
  coach list [--account ID]
  key issue --account ID --name NAME [--scopes LIST] [--expires DAY]
            [--per-minute N] [--per-hour N] [--per-day N]
  key list [--account ID]
  key rotate <key id> [--overlap HOURS]
  key revoke <key id>
  usage [--from DAY] [--to DAY] [--account ID] [--key ID] [--coach ID] [--by LIST]
  reindex file <file id>
  reindex coach <coach id>
  user export <user id> --account ID [--output FILE]
  user erase <user id> --account ID [--yes]

A coach is a Markdown file. Its body is the instructions, and its front matter the rest:

  ---
  name: Ada Byron
  title: Mathematics Coach
  greeting: What shall we compute?  # what applications may show first (none)
  model: gpt-5                      # (the deployment's own)
  language: english                 # of the files it knows (english)
  temperature: 0.7                  # 0 to 2 (the model's own)
  history_limit: 20                 # messages that the model is shown, 0 to 200 (20)
  id: ada                           # the coachId of the API (a new UUID)
  ---
  Ask before you tell.

Name, title and body are needed; the others have the defaults in brackets. An update makes the
coach what its file says: what the file leaves out goes back to its default. The id stays, and
so do the account, the owner, and whether the coach is active.

  --scopes LIST    what the key may do, of chat,threads:read,knowledge:read,knowledge:write; all
                   four if not given
  --expires DAY    the key ends at the beginning of that day; never if not given
  --per-minute, --per-hour, --per-day N
                   requests that the key may send; 60, 1000 and 10000 if not given
  --overlap HOURS  how long the key that is replaced goes on working, 0 to 8760; 24 if not given.
                   The new one has its scopes and limits, and as long a life.
  --from, --to DAY first and last day of the usage; the last 30 days if not given
  --by LIST        what a line stands for, of day,account,api_key,coach; day,api_key,coach if not
                   given. Requests and refusals are counted before a coach is known: they stand
                   in lines without one.
  --output FILE    write it into a file, which nobody else may read
  --yes            do not ask
  --json           the result as one JSON value; on stdout there is nothing else then
  --help           this text

Days are like 2026-12-31, and those of UTC. A coach list has everything but the instructions.
Everything of a user means threads and messages, of one account. Erasing them has the model's
backend delete what it keeps as well. Counted usage stays, and so does a login.

The project comes from the environment, or else from .env.local, which npm start writes:

  BASE_URL    its address, such as https://<project ref>.supabase.co
  SECRET_KEY  its secret key

npm itself writes on stdout as well: to read JSON, say npm run --silent admin -- … --json.

Ends with 0 when done, 1 when it failed, 2 when called wrongly, 130 when declined.`;
