/** `npm run chat`: talk to a persona at the terminal. By default to the demo coach of `npm start`. */
import { createInterface } from "node:readline/promises";
import process from "node:process";
import { createClient } from "../client/client.ts";
import { createTerminal } from "./terminal.ts";

const { BASE_URL, API_KEY, COACH_ID, USER_ID = "terminal" } = process.env;
if (!BASE_URL || !API_KEY || !COACH_ID) {
  console.error("Start the service with npm start, or set BASE_URL, API_KEY and COACH_ID.");
  process.exit(1);
}

const readline = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY });
let isPrompting = process.stdin.isTTY;
readline.once("close", () => isPrompting = false);
const terminal = createTerminal({
  client: createClient({ baseUrl: BASE_URL, apiKey: API_KEY }),
  coachId: COACH_ID,
  userId: USER_ID,
  lines: readLines(),
  write: (text) => process.stdout.write(text),
  readFile: (path) => Deno.readFile(path),
});
readline.on("SIGINT", () => terminal.interrupt() || readline.close());
console.log("Type a message, or /help.");
await terminal.run();
readline.close();

async function* readLines() {
  if (isPrompting) readline.prompt();
  for await (const line of readline) {
    yield line;
    if (isPrompting) readline.prompt();
  }
}
