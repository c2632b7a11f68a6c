import { Buffer } from "node:buffer";
import { type AddressObject, type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { eventually } from "./eventually.ts";

/** A mail that has arrived, parsed by a library that had no part in writing it. */
export type ReceivedMail = ParsedMail & {
  /** The recipients that the server was told. */
  recipients: string[];
  sender: string;
  raw: string;
};

/** A mail server. Mails of other tests may arrive, too. */
export type MailServer = AsyncDisposable & {
  /** For `SMTP_URL`. */
  url: string;
  /** The mails so far, oldest first. */
  received: ReceivedMail[];
  /** The recipients that were named, in this order, also those that were refused. */
  asked: string[];
  /** The number of connections so far, also those that were turned away. */
  connections: number;
  /** The reply to a connection, in place of the greeting, such as `421 Too many connections`. */
  turnAway: () => string | null;
  /** The reply to a recipient, in place of accepting it, such as `550 No such user`. */
  refuse: (address: string) => string | null;
  /** Awaited before a mail is accepted. */
  beforeMail: () => Promise<unknown>;
  /** The mails to an address so far. */
  mailsTo(address: string): ReceivedMail[];
  /** Waits until an address has a number of mails, and returns them. */
  waitFor(address: string, count?: number, act?: () => Promise<unknown>): Promise<ReceivedMail[]>;
};

/** The variables of functions that send by this server. */
export function mailEnv({ url }: Pick<MailServer, "url">): Record<string, string> {
  return {
    SMTP_URL: url,
    MAIL_FROM: "Human chat <no-reply@chat.example>",
    DESK_URL: "https://desk.example/desk/",
    PAGE_URL: "https://page.example/",
  };
}

function refusal(reply: string): Error {
  const [, code, text] = /^(\d{3}) (.*)$/.exec(reply)!;
  return Object.assign(new Error(text), { responseCode: Number(code) });
}

/** Starts a mail server on this machine, without encryption. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    onConnect(_session, callback) {
      self.connections++;
      const reply = self.turnAway();
      callback(reply === null ? null : refusal(reply));
    },
    onRcptTo({ address }, _session, callback) {
      self.asked.push(address);
      const reply = self.refuse(address);
      callback(reply === null ? null : refusal(reply));
    },
    async onData(stream, { envelope }, callback) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk as Uint8Array);
      const source = Buffer.concat(chunks);
      const mail: ReceivedMail = {
        ...await simpleParser(source),
        recipients: envelope.rcptTo.map(({ address }: { address: string }) => address),
        sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
        raw: source.toString(),
      };
      await self.beforeMail();
      self.received.push(mail);
      callback(null);
    },
  });
  // Clients that go away in the middle.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  const self: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    asked: [],
    connections: 0,
    turnAway: () => null,
    refuse: () => null,
    beforeMail: async () => {},
    mailsTo: (address) => self.received.filter(({ recipients }) => recipients.includes(address)),
    async waitFor(address, count = 1, act) {
      await eventually(async () => {
        await act?.();
        return self.mailsTo(address).length >= count;
      }, `${address} has ${count} mails`);
      return self.mailsTo(address);
    },
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      // With the Deno of the functions, it never says that it is closed.
      const timer = setTimeout(closed.resolve, 500);
      server.close(() => closed.resolve());
      await closed.promise;
      clearTimeout(timer);
    },
  };
  return self;
}

/** The addresses of a header such as `To`. */
export function addressesOf(header: AddressObject | AddressObject[] | undefined): string[] {
  return [header ?? []].flat().flatMap(({ value }) => value.map(({ address = "" }) => address));
}

/** The addresses of the links in the HTML part of a mail. */
export function linksOf({ html }: ReceivedMail): string[] {
  return [...(html || "").matchAll(/href="([^"]*)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
}
