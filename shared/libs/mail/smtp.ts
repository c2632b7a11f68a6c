import type { Buffer } from "node:buffer";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { delay } from "../base/std/async.ts";
import { fieldsOf } from "../base/fields_of.ts";
import type { Delivery, MailServer, OutgoingMail, SendMail } from "./send_mail.ts";

/** Milliseconds without a byte from the server after which it counts as gone. The limit of a whole mail is the caller's. */
const patience = 20_000;

const minVersion = "TLSv1.2";

/**
 * Milliseconds for each address of a host, after which the next one is tried. By default a quarter of a second, which a
 * server far away, or a busy isolate, may need for a connection that is fine.
 */
const autoSelectFamilyAttemptTimeout = 5_000;

/** Milliseconds that a server gets to say goodbye. */
const farewell = 500;

/**
 * Sends mails by SMTP, each over a connection of its own. The connection is encrypted, with a valid certificate: from its
 * first byte (`smtps://`), or by STARTTLS before anything is said. Only on this machine may a server do without.
 */
export function createSmtpSender(server: MailServer): SendMail {
  return async (mail, signal) => {
    let stage: Stage = "connection";
    let socket: Socket | undefined;
    let connection: SMTPConnection | undefined;
    try {
      const message = await compose(server, mail);
      socket = await open(server, signal);
      const session = connection = createConnection(server, socket);
      await converse(session, signal, (done) => session.connect(done));
      const { user, password } = server;
      if (user !== null) {
        const credentials = { user, pass: password ?? "" };
        await converse(session, signal, (done) => session.login({ credentials }, done));
      }
      stage = "message";
      const envelope = { from: server.from.address, to: [mail.to], size: message.length };
      await converse(session, signal, (done) => session.send(envelope, message, done));
      await takeLeave(session);
      return { kind: "sent" };
    } catch (error) {
      return describe(error, stage, signal);
    } finally {
      connection?.close();
      socket?.destroy();
    }
  };
}

/** Connects with encryption from the first byte. The certificate must be valid for the host. */
function connectEncrypted(host: string, port: number): Socket {
  const servername = isIP(host) === 0 ? host : undefined;
  const options = { host, port, servername, minVersion, autoSelectFamilyAttemptTimeout } as const;
  const socket = connectTls(options);
  // The library sets these on every connection. With the edge runtime's Deno, encrypted sockets throw.
  socket.setKeepAlive = socket.setNoDelay = () => socket;
  return socket;
}

function createConnection(server: MailServer, socket: Socket): SMTPConnection {
  return new SMTPConnection({
    host: server.host,
    port: server.port,
    connection: socket,
    secure: server.isSecure,
    secured: server.isSecure,
    requireTLS: !server.isSecure && !server.isLoopback,
    tls: { minVersion },
    // The name of this machine is nobody's business.
    name: domainOf(server.from.address),
    greetingTimeout: patience,
    socketTimeout: patience,
    // Destroyed immediately: a server that hangs is not waited for.
    socketCloseTimeout: 0,
  });
}

/** Connects to the server. Rejects when that fails, or the signal aborts. */
async function open({ host, port, isSecure }: MailServer, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = isSecure ? connectEncrypted(host, port) : connect({ host, port, autoSelectFamilyAttemptTimeout });
  const onAbort = () => reject(signal.reason);
  socket.once(isSecure ? "secureConnect" : "connect", resolve);
  // It stays: without any listener, a late error would end the process.
  socket.on("error", reject);
  signal.addEventListener("abort", onAbort);
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

type Stage = "connection" | "message";

/** The mail in the form in which it is sent. Header values are encoded by the library; addresses were checked before. */
async function compose({ from }: MailServer, mail: OutgoingMail): Promise<Buffer> {
  return await new MailComposer({
    from,
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domainOf(from.address)}>`,
    date: mail.date,
    headers: mail.headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile().build();
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Takes one step with the server. Rejects when the signal aborts, the connection fails, or the server ends it. */
async function converse(
  connection: SMTPConnection,
  signal: AbortSignal,
  // deno-lint-ignore no-explicit-any -- The library's callbacks differ in their second argument.
  start: (done: (error?: any) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onEnd = () => reject(new Error("The server has ended the connection"));
  const onAbort = () => reject(signal.reason);
  connection.on("error", reject);
  connection.once("end", onEnd);
  signal.addEventListener("abort", onAbort);
  try {
    signal.throwIfAborted();
    start((error) => error ? reject(error) : resolve());
    await promise;
  } finally {
    // The listener for errors stays: without any, a late one would end the process.
    connection.off("end", onEnd);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Says goodbye, and waits for a moment: the mail is accepted, whatever happens now. */
async function takeLeave(connection: SMTPConnection): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  connection.once("end", () => resolve());
  try {
    connection.quit();
    await Promise.race([promise, delay(farewell)]);
  } catch {
    // It had hung up before.
  }
}

/** Replies to a recipient that are about the sender or the server, not about the address (RFC 3463). */
const isAboutPolicy = (reply: string) => /^5\d\d[ -]5\.7\./.test(reply);

/** Codes of a server that wants something else before it takes any mail: encryption, a password, another command. */
const codesOfServer = [500, 502, 503, 504, 521, 523, 530, 534, 535, 538];

function describe(error: unknown, stage: Stage, signal: AbortSignal): Delivery {
  const { responseCode, command, code, response, message } = fieldsOf(error);
  const reply = typeof responseCode === "number" ? responseCode : null;
  if (stage === "message" && reply !== null && reply >= 500 && reply <= 599) {
    const isOfAddress = command === "RCPT TO" && !codesOfServer.includes(reply) && !isAboutPolicy(String(response));
    if (isOfAddress) return { kind: "refused", reply };
    // After the recipient: it is the mail that is refused, and another try would be refused as well.
    if (command === "DATA") {
      return { kind: "failed", reason: `It refused the mail with ${reply}`, isFinal: true, isOfServer: false };
    }
  }
  const isOfServer = stage === "connection" || command !== "RCPT TO" && command !== "DATA";
  const reason = signal.aborted || code === "ETIMEDOUT"
    ? "It did not answer in time"
    : code === "EAUTH"
    ? "It refused the user or password of SMTP_URL"
    : code === "ETLS" || /certificate|handshake|tls/i.test(String(message))
    ? "It offers no encryption with a valid certificate"
    : reply !== null
    ? `It answered ${reply}`
    : stage === "connection"
    ? "It cannot be reached"
    : "It broke the connection off";
  return { kind: "failed", reason, isFinal: false, isOfServer };
}
