import { readMailServer } from "../../infra/env.ts";
import type { Delivery, OutgoingMail } from "./send_mail.ts";
import { createSmtpSender } from "./smtp.ts";
import { assert, assertEquals, assertMatch } from "../../../tests/support/assert.ts";
import { startMailServer } from "../../../tests/support/mail_server.ts";

const mail: OutgoingMail = {
  id: "7d3c",
  to: "ann@example.com",
  subject: "Hello",
  text: "Text",
  html: "<p>Text</p>",
  date: new Date("2026-11-26T12:00:00Z"),
  headers: {},
};

function send(url: string, changes: Partial<OutgoingMail> = {}, timeout = 5_000): Promise<Delivery> {
  const variables: Record<string, string> = { SMTP_URL: url, MAIL_FROM: '"Ada, Byron" <ada@example.org>' };
  const server = readMailServer((name) => variables[name] ?? null)!;
  return createSmtpSender(server)({ ...mail, ...changes }, AbortSignal.timeout(timeout));
}

/** Answers each line of a client with that of a script; null: never. Lines of a mail are not answered. */
type Talk = { greeting: string | null; answer: (line: string, say: (text: string) => Promise<void>) => unknown };

/** A server that does what a script says, and counts the bytes of the mails that it was sent. */
async function withServer<Result>(talk: Talk, run: (url: string) => Promise<Result>): Promise<Result> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open = new Set<Deno.Conn>();
  const serving = (async () => {
    for await (const connection of listener) {
      open.add(connection);
      void (async () => {
        const say = async (text: string) => void await connection.write(new TextEncoder().encode(text));
        if (talk.greeting !== null) await say(talk.greeting);
        for await (const chunk of connection.readable) {
          for (const line of new TextDecoder().decode(chunk).split("\r\n")) {
            if (line !== "") await talk.answer(line, say);
          }
        }
      })().catch(() => {});
    }
  })();
  try {
    return await run(`smtp://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`);
  } finally {
    for (const connection of open) {
      try {
        connection.close();
      } catch { /* It is closed. */ }
    }
    listener.close();
    await serving;
  }
}

/** The usual answers; `changes` has others, by the first word of a line. */
function usual(changes: Record<string, (say: (text: string) => Promise<void>) => unknown> = {}): Talk {
  return {
    greeting: "220 ready\r\n",
    answer(line, say) {
      const word = line === "." ? "." : line.split(/[ :]/)[0]!;
      if (changes[word] !== undefined) return changes[word](say);
      if (word === "EHLO") return say("250 hello\r\n");
      if (word === "DATA") return say("354 go on\r\n");
      if (["MAIL", "RCPT", ".", "QUIT"].includes(word)) return say("250 ok\r\n");
    },
  };
}

const failed = (reason: string, isOfServer = true): Delivery => ({
  kind: "failed",
  reason,
  isFinal: false,
  isOfServer,
});

// With the Deno of the functions, a server that is closed leaves a timer behind.
const leaky = { sanitizeOps: false, sanitizeResources: false };

Deno.test("a mail as it arrives", leaky, async (t) => {
  await using server = await startMailServer();

  await t.step("has both parts, the sender's name, and a Message-ID of its own", async () => {
    assertEquals(await send(server.url), { kind: "sent" });
    const [received] = server.received;
    assertEquals([received!.text, received!.html], ["Text", "<p>Text</p>"]);
    assertEquals(received!.from!.value, [{ name: "Ada, Byron", address: "ada@example.org" }]);
    assertEquals([received!.messageId, received!.date], ["<7d3c@example.org>", mail.date]);
    assertMatch(received!.raw, /^Content-Type: multipart\/alternative;/m);
  });

  await t.step("no value ends its header, whatever is in it", async () => {
    const evil = "x\r\nBcc: evil@example.com\r\n\r\nBody";
    await send(server.url, { subject: evil, headers: { "List-Unsubscribe": `<https://x.example/?${evil}>` } });
    const received = server.received.at(-1)!;
    assertEquals([received.bcc, received.recipients, received.text], [undefined, ["ann@example.com"], "Text"]);
    assertEquals(/^Bcc:/mi.test(received.raw), false);
  });

  await t.step("long lines, dots and other scripts arrive as they are", async () => {
    const text = `${"ü".repeat(2_000)}\n.\n..\nمرحبا 🦉 ${"x".repeat(1_200)}\n`;
    await send(server.url, { subject: "مرحبا 🦉 ".repeat(20).trim(), text });
    const received = server.received.at(-1)!;
    assertEquals(received.text?.trimEnd(), text.trimEnd());
    assertEquals(received.subject, "مرحبا 🦉 ".repeat(20).trim());
    assert(received.raw.split("\r\n").every((line) => line.length <= 998));
  });
});

Deno.test("servers that refuse", async (t) => {
  const refuses = (word: string, reply: string) =>
    withServer(usual({ [word]: (say) => say(`${reply}\r\n`), HELO: (say) => say(`${reply}\r\n`) }), send);
  const rows: [name: string, word: string, reply: string, Delivery][] = [
    ["an unknown recipient", "RCPT", "550 5.1.1 No such user", { kind: "refused", reply: 550 }],
    ["a recipient in other words", "RCPT", "553 Not allowed", { kind: "refused", reply: 553 }],
    ["a recipient for now", "RCPT", "451 Try later", failed("It answered 451", false)],
    ["to relay", "RCPT", "550 5.7.1 Relaying denied", failed("It answered 550", false)],
    ["without a password", "RCPT", "530 5.7.0 Authentication required", failed("It answered 530", false)],
    ["the sender", "MAIL", "550 5.7.1 Sender rejected", failed("It answered 550")],
    ["the mail", ".", "554 5.6.0 Looks like spam", {
      kind: "failed",
      reason: "It refused the mail with 554",
      isFinal: true,
      isOfServer: false,
    }],
    ["the mail for now", ".", "452 Disk full", failed("It answered 452", false)],
    ["everybody", "EHLO", "554 Go away", failed("It answered 554")],
  ];
  for (const [name, word, reply, expected] of rows) {
    await t.step(name, async () => assertEquals(await refuses(word, reply), expected));
  }

  await t.step("the connection", async () => {
    const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const { port } = listener.addr as Deno.NetAddr;
    listener.close();
    assertEquals(await send(`smtp://127.0.0.1:${port}`), failed("It cannot be reached"));
  });
});

Deno.test("servers that hang, drip or break off are given up in time", leaky, async (t) => {
  const limit = 300;
  const late = failed("It did not answer in time");
  const timed = async (talk: Talk) => {
    const began = performance.now();
    const delivery = await withServer(talk, (url) => send(url, {}, limit));
    assert(performance.now() - began < limit + 2_000);
    return delivery;
  };

  await t.step("one that never greets", async () => {
    assertEquals(await timed({ greeting: null, answer: () => {} }), late);
  });
  await t.step("one that never ends its greeting", async () => {
    assertEquals(await timed({ greeting: "220-hello\r\n", answer: () => {} }), late);
  });
  await t.step("one that drips a byte at a time", async () => {
    const delivery = await timed(usual({
      EHLO: async (say) => {
        for (let byte = 0; byte < 1_000; byte++) {
          await say(byte === 0 ? "250-" : "x");
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
    }));
    assertEquals(delivery, late);
  });
  await t.step("one that takes the mail and says nothing", async () => {
    assertEquals(await timed(usual({ ".": () => {} })), late);
  });
  await t.step("one that breaks off in the middle of the mail", async () => {
    let connection: Deno.Conn | null = null;
    const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const serving = (async () => {
      connection = await listener.accept();
      const say = (text: string) => connection!.write(new TextEncoder().encode(text));
      await say("220 ready\r\n");
      for await (const chunk of connection.readable) {
        const text = new TextDecoder().decode(chunk);
        if (text.startsWith("DATA")) {
          await say("354 go on\r\n");
          break;
        }
        await say("250 ok\r\n");
      }
    })().catch(() => {});
    const { port } = listener.addr as Deno.NetAddr;
    const delivery = await send(`smtp://127.0.0.1:${port}`, { text: "x".repeat(2_000_000) });
    listener.close();
    await serving;
    assertEquals(delivery.kind, "failed");
    assertEquals((delivery as { isFinal: boolean }).isFinal, false);
  });
  await t.step("a signal that has aborted before", async () => {
    await using server = await startMailServer();
    const variables: Record<string, string> = { SMTP_URL: server.url, MAIL_FROM: "ada@example.org" };
    const sender = createSmtpSender(readMailServer((name) => variables[name] ?? null)!);
    assertEquals((await sender(mail, AbortSignal.abort())).kind, "failed");
    assertEquals(server.asked, []);
  });
});

Deno.test("the variables of the mail server", async (t) => {
  const read = (SMTP_URL: string, MAIL_FROM: string | null = "a@b.example", more: Record<string, string> = {}) => {
    const variables: Record<string, string | null> = { SMTP_URL, MAIL_FROM, ...more };
    return readMailServer((name) => variables[name] ?? null);
  };
  const errorOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return (error as Error).message.replace("Cannot start: environment variable ", "");
    }
    return null;
  };

  await t.step("are read", () => {
    assertEquals(read("smtps://user%40b:p%3Ass%25@mail.b.example"), {
      host: "mail.b.example",
      port: 465,
      isSecure: true,
      isLoopback: false,
      user: "user@b",
      password: "p:ss%",
      from: { name: "", address: "a@b.example" },
    });
    const { port, isSecure, isLoopback, user, from } = read("smtp://[::1]:2525", "Ada (Byron), PhD <ada@b.example>")!;
    assertEquals([port, isSecure, isLoopback, user, from], [2525, false, true, null, {
      name: "Ada (Byron), PhD",
      address: "ada@b.example",
    }]);
    assertEquals(readMailServer(() => null), null);
  });

  await t.step("that are malformed are named, without their values", () => {
    const address = "SMTP_URL is not an address such as smtps://user:password@smtp.example.com:465";
    for (const url of ["mail.b.example", "https://mail.b.example", "smtp://", "smtps:mail"]) {
      assertEquals(errorOf(() => read(url)), address, url);
    }
    assertEquals(errorOf(() => read("smtps://u:p%zz@mail.b.example")), "SMTP_URL has a % that is not encoded as %25");
    assertEquals(errorOf(() => read("smtps://mail.b.example", null)), "MAIL_FROM is missing");
    for (
      const from of ["Ada", "Ada <ada>", "a@b.example, c@d.example", "Ada\r\nBcc: x@y.example <a@b.example>", "<>"]
    ) {
      assertEquals(
        errorOf(() => read("smtps://mail.b.example", from)),
        'MAIL_FROM is not an address such as "Ada Byron <ada@example.com>"',
        from,
      );
    }
  });

  await t.step("on Supabase's platform, ports that it closes are refused", () => {
    const hosted = { SB_EXECUTION_ID: "1", SUPABASE_URL: "https://abc.supabase.co" };
    for (const url of ["smtp://mail.b.example", "smtp://mail.b.example:25", "smtp://mail.b.example:587"]) {
      assertMatch(
        errorOf(() => read(url, "a@b.example", hosted)) ?? "",
        /^SMTP_URL names port (25|587), which Supabase closes\./,
      );
    }
    assertEquals(read("smtp://mail.b.example:2525", "a@b.example", hosted)?.port, 2525);
    assertEquals(read("smtp://mail.b.example:587")?.port, 587);
  });
});
