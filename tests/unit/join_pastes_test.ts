import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { joinPastes, readMessage } from "../../shared/clients/terminal/join_pastes.ts";
import { assertEquals } from "../support/assert.ts";

/** The messages that are typed in these pieces. */
async function messagesOf(pieces: Uint8Array[]): Promise<string[]> {
  const typed = new PassThrough();
  const readline = createInterface({ input: typed.pipe(joinPastes()), output: new PassThrough(), terminal: true });
  const messages = Array.fromAsync(readline, readMessage);
  for (const piece of pieces) typed.write(piece);
  typed.end();
  return await messages;
}

/** A paste, as terminals mark it. */
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

Deno.test("joinPastes", async (t) => {
  const cases: [name: string, typed: string, messages: string[]][] = [
    ["each line is a message", "One\rTwo\rThree\r", ["One", "Two", "Three"]],
    ["a paste of several lines is one", `${paste("One\rTwo\r\rThree")}\r`, ["One\nTwo\n\nThree"]],
    ["with what is typed around it", `Read: ${paste("One\rTwo")} Thanks\rBye\r`, ["Read: One\nTwo Thanks", "Bye"]],
    ["two pastes", `${paste("One\nTwo\r")}${paste("Drei 👍🏽 你好")}\r`, ["One\nTwo\nDrei 👍🏽 你好"]],
    ["a paste of one line", `${paste("One")}\r`, ["One"]],
    ["keys in a paste do nothing", `${paste("a\x1b[Db\x03c\x7fd")}\r`, ["a[Dbcd"]],
    ["keys outside of it do", `ab\x1b[Dc\r`, ["acb"]],
  ];
  for (const [name, typed, messages] of cases) {
    await t.step(name, async () => {
      const bytes = new TextEncoder().encode(typed);
      assertEquals(await messagesOf([bytes]), messages);
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
      assertEquals(await messagesOf(pieces), messages, "in pieces of one byte");
    });
  }
});
