/** `npm run chat`: talk to a persona at the terminal. By default to the demo coach of `npm start`. */
import { on } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { createClient } from "../client/client.ts";
import { doNotMarkPastes, joinPastes, markPastes, readMessage } from "./join_pastes.ts";
import { createTerminal, UnreachableError } from "./terminal.ts";
import { wrapWords } from "./wrap_words.ts";

const { BASE_URL, API_KEY, COACH_ID, USER_ID = "terminal" } = process.env;
if (!BASE_URL || !API_KEY || !COACH_ID) {
  refuse("Start the service with npm start, or set BASE_URL, API_KEY and COACH_ID.");
}
if (!/^https?:$/.test(URL.parse(BASE_URL)?.protocol ?? "")) {
  refuse(`BASE_URL must be an address like https://<ref>.supabase.co, not ${BASE_URL}.`);
}
if (API_KEY.startsWith("hi_pub_")) {
  refuse("API_KEY is a publishable key, which only works in pages. Set it to a secret key, hi_live_….");
}
const { stdin, stdout } = process;

const readline = createInterface({
  input: stdin.isTTY ? joinPastesOfTerminal() : stdin,
  output: stdout,
  terminal: stdin.isTTY,
});
// Created immediately, so that lines are not lost before somebody reads them.
const lines = on(readline, "line", { close: ["close"] }) as AsyncIterableIterator<[line: string]>;
let isPrompting = stdin.isTTY;
readline.once("close", () => isPrompting = false);
const output = wrapWords((text) => stdout.write(text), () => stdout.isTTY ? stdout.columns : undefined);
const terminal = createTerminal({
  client: createClient({
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    // The user can be asked to wait.
    backOff: { retries: 0 },
    send: (request) =>
      fetch(request).catch((error) => {
        throw new UnreachableError(`The service cannot be reached at ${BASE_URL}.`, { cause: error });
      }),
  }),
  coachId: COACH_ID,
  userId: USER_ID,
  messages: promptForMessages(),
  output,
  readFile: (path) => Deno.readFile(path),
});
readline.on("SIGINT", () => terminal.interrupt() || readline.close());
const trouble = await terminal.run();
if (trouble !== null) {
  console.error(trouble);
  process.exitCode = 1;
}
readline.close();
stdin.unpipe();
stdin.pause();

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

async function* promptForMessages() {
  if (isPrompting) readline.prompt();
  for await (const [line] of lines) {
    yield readMessage(line);
    if (isPrompting) readline.prompt();
  }
}

/** The terminal as readline takes it. */
function joinPastesOfTerminal() {
  stdout.write(markPastes);
  process.once("exit", () => stdout.write(doNotMarkPastes));
  const setRawMode = (isRaw: boolean) => stdin.setRawMode(isRaw);
  return Object.assign(stdin.pipe(joinPastes()), { isTTY: true, setRawMode });
}
