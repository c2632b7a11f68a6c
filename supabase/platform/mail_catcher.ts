import { Buffer } from "node:buffer";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";

/** The most mails that are kept; older ones are deleted. */
const mostMails = 500;

/** The most bytes of a mail. */
const maxBytes = 10 * 1024 * 1024;

/** A mail server of the stack. */
export type MailCatcher = {
  /** The value of `SMTP_URL` for the functions. */
  url: string;
};

/** The names of the mails in a folder, newest first: `<time>-<random>`. */
export function listMails(folder: string): string[] {
  const names = [...Deno.readDirSync(folder)].flatMap(({ name }) => /^([\w-]+)\.eml$/.exec(name)?.[1] ?? []);
  return names.toSorted().toReversed();
}

/**
 * Accepts every mail on this machine, and stores it as a file instead of sending it. It takes no encryption, which
 * functions do without on this machine alone.
 */
export async function startMailCatcher(folder: string): Promise<MailCatcher> {
  await Deno.mkdir(folder, { recursive: true });
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    size: maxBytes,
    async onData(stream, _session, callback) {
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of stream) chunks.push(chunk as Uint8Array);
        await storeMail(folder, Buffer.concat(chunks));
        callback();
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  // A client that goes away in the middle is no reason to stop.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port");
  return { url: `smtp://127.0.0.1:${address.port}` };
}

/** Stores a mail among those that have been caught, and deletes the oldest where there are too many. */
export async function storeMail(folder: string, source: Uint8Array): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const time = new Date().toISOString().replaceAll(/[^\d]/g, "");
  const path = join(folder, `${time}-${crypto.randomUUID().slice(0, 8)}.eml`);
  // Renamed into place, so that the page never shows half of a mail.
  await Deno.writeFile(`${path}.new`, source);
  await Deno.rename(`${path}.new`, path);
  for (const name of listMails(folder).slice(mostMails)) await Deno.remove(join(folder, `${name}.eml`)).catch(() => {});
}
