import { Buffer } from "node:buffer";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { type ParsedMail, simpleParser } from "mailparser";
import { type LocalFile, serveLocalFiles } from "./local_files.ts";

/** The most mails that are kept; older ones are deleted. */
const mostMails = 500;

/** The most bytes of a mail. */
const maxBytes = 10 * 1024 * 1024;

/** A mail server of the stack. */
type MailCatcher = {
  /** The value of `SMTP_URL` for the functions. */
  url: string;
};

/** The names of the mails in a folder, newest first: `<time>-<random>`. */
export function listMails(folder: string): string[] {
  const names = [...Deno.readDirSync(folder)].flatMap(({ name }) => /^([\w-]+)\.eml$/.exec(name)?.[1] ?? []);
  return names.toSorted().toReversed();
}

/** Accepts every mail on this machine without encryption, and stores it as a file instead of sending it. */
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

/** No script, no form, nothing from elsewhere; the HTML part of a mail is in a frame of its own. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What came by mail is not trusted: it has no origin, and loads nothing. Its links open in a new tab. */
const policyOfMails = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-popups allow-popups-to-escape-sandbox",
].join("; ");

const html = "text/html; charset=utf-8";

/** The page at `/mails`: the caught mails, with headers and both parts. `/mails/<name>.eml` is the mail itself. */
export function createMailPage(folder: string): (request: Request) => Promise<Response> {
  return serveLocalFiles({
    contentSecurityPolicy,
    async read(path) {
      const [, name = "", part = ""] = /^\/mails\/?([\w-]*)(|\.eml|\/html)$/.exec(path) ?? [path, null];
      if (name === null || name === "" && part !== "") return null;
      if (name === "") return { type: html, content: await describeList(folder) };
      const source = await Deno.readFile(join(folder, `${name}.eml`)).catch(() => null);
      if (source === null) return null;
      if (part === ".eml") return { type: "message/rfc822", content: source, contentSecurityPolicy: policyOfMails };
      const mail = await parse(source);
      return part === "/html" ? showHtml(mail) : { type: html, content: describe(name, mail) };
    },
  });
}

async function parse(source: Uint8Array): Promise<ParsedMail> {
  const { Buffer } = await import("node:buffer");
  return await simpleParser(Buffer.from(source), { skipTextLinks: true });
}

function showHtml({ html: content }: ParsedMail): LocalFile {
  const page = (content || "").replace(/<head>/i, '<head><base target="_blank">');
  return { type: html, content: page, contentSecurityPolicy: policyOfMails };
}

async function describeList(folder: string): Promise<string> {
  const rows = await Promise.all(
    listMails(folder).slice(0, 100).map(async (name) => {
      const mail = await Deno.readFile(join(folder, `${name}.eml`)).then(parse).catch(() => null);
      if (mail === null) return "";
      return `<tr><td>${escape(showTime(mail))}</td><td>${escape(addresses(mail.to))}</td>` +
        `<td dir="auto"><a href="/mails/${name}">${escape(mail.subject || "(no subject)")}</a></td></tr>`;
    }),
  );
  const table = `<table><tr><th>Sent</th><th>To</th><th>Subject</th></tr>${rows.join("\n")}</table>`;
  return wrap("Mails", rows.length === 0 ? "<p>No mail has been sent yet.</p>" : table, { isRefreshed: true });
}

function describe(name: string, mail: ParsedMail): string {
  const shown = mail.headerLines.map(({ line }) => `<div>${escape(line)}</div>`).join("\n");
  return wrap(
    mail.subject || "(no subject)",
    `<p><a href="/mails">All mails</a> · <a href="/mails/${name}.eml" download>Download</a></p>
<h2>HTML part</h2>
${
      mail.html
        ? `<iframe title="HTML part" src="/mails/${name}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
        : "<p>None</p>"
    }
<h2>Text part</h2>
<pre dir="auto">${mail.text ? linkify(mail.text) : "None"}</pre>
<h2>Headers</h2>
<div class="headers">${shown}</div>`,
  );
}

function wrap(title: string, body: string, { isRefreshed = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${isRefreshed ? '<meta http-equiv="refresh" content="5">' : ""}
<title>${escape(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.4rem 0.8rem 0.4rem 0; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
iframe { width: 100%; height: 32rem; border: 1px solid; background: #fff; }
pre, .headers { white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; }
</style>
</head>
<body>
<h1 dir="auto">${escape(title)}</h1>
${body}
</body>
</html>
`;
}

/** Makes links of the web addresses in a text, and escapes the rest. */
function linkify(text: string): string {
  return text.split(/(https?:\/\/[^\s<>"']+)/).map((part, index) =>
    index % 2 === 0
      ? escape(part)
      : `<a href="${escape(part)}" target="_blank" rel="noopener noreferrer">${escape(part)}</a>`
  ).join("");
}

function showTime({ date }: ParsedMail): string {
  return date?.toISOString().replace("T", " ").slice(0, 19) ?? "";
}

function addresses(header: ParsedMail["to"]): string {
  return [header ?? []].flat().map(({ text }) => text).join(", ");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
