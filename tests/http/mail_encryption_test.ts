import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { findEdgeDeno } from "../../supabase/platform/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../supabase/platform/edge_runtime/worker.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { assertEquals } from "../support/assert.ts";
import { runCommand } from "../support/run_command.ts";

const folder = join(import.meta.dirname!, "../support/certificates");
const read = (name: string) => Deno.readTextFileSync(join(folder, name));

/** A mail server that notes which mails and passwords it has got, and if they came encrypted. */
async function startServer({ isSecure = false, hasTls = true, certificate = "localhost.pem" } = {}) {
  const got: { isEncrypted: boolean; what: string }[] = [];
  const server = new SMTPServer({
    secure: isSecure,
    key: read("key.pem"),
    cert: read(certificate),
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: hasTls ? [] : ["STARTTLS"],
    onAuth({ username, password }, { secure }, callback) {
      got.push({ isEncrypted: secure, what: `${username}:${password}` });
      callback(null, { user: username });
    },
    onData(stream, { secure }, callback) {
      stream.resume();
      stream.on("end", () => {
        got.push({ isEncrypted: secure, what: "mail" });
        callback();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return {
    got,
    port: (server.server.address() as { port: number }).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Sends a mail with the Deno that functions run on, in a process that trusts the authority of the tests, or does not. */
async function send(url: string, { trusts = true } = {}) {
  const { stdout, stderr } = await runCommand(findEdgeDeno(), [
    "run",
    "--quiet",
    "-A",
    "--config=functions/mailer/deno.json",
    "--lock=functions/mailer/deno.lock",
    "tests/support/send_mail_once.ts",
  ], {
    cwd: projectRoot,
    env: {
      ...edgeDenoEnv,
      SMTP_URL: url,
      MAIL_FROM: "ada@example.org",
      ...(trusts ? { DENO_CERT: join(folder, "authority.pem") } : {}),
    },
  });
  return stdout === "" ? stderr : JSON.parse(stdout);
}

const refused = {
  kind: "failed",
  reason: "It offers no encryption with a valid certificate",
  isFinal: false,
  isOfServer: true,
};
const encrypted = (...what: string[]) => what.map((each) => ({ isEncrypted: true, what: each }));

Deno.test("mails leave this machine only encrypted, with a valid certificate", async (t) => {
  await t.step("from the first byte", async () => {
    await using server = await startServer({ isSecure: true });
    assertEquals(await send(`smtps://user%40b:p%20ss@localhost:${server.port}`), { kind: "sent" });
    assertEquals(server.got, encrypted("user@b:p ss", "mail"));
  });

  await t.step("by STARTTLS, before the password is said", async () => {
    await using server = await startServer();
    assertEquals(await send(`smtp://user:pass@localhost:${server.port}`), { kind: "sent" });
    assertEquals(server.got, encrypted("user:pass", "mail"));
  });

  await t.step("a certificate that nobody vouches for is refused", async () => {
    for (const isSecure of [true, false]) {
      await using server = await startServer({ isSecure });
      const url = `${isSecure ? "smtps" : "smtp"}://user:pass@localhost:${server.port}`;
      assertEquals(await send(url, { trusts: false }), refused, url);
      assertEquals(server.got, []);
    }
  });

  await t.step("a certificate of another name is refused", async () => {
    for (const isSecure of [true, false]) {
      await using server = await startServer({ isSecure, certificate: "other.pem" });
      const url = `${isSecure ? "smtps" : "smtp"}://user:pass@localhost:${server.port}`;
      assertEquals(await send(url), refused, url);
      assertEquals(server.got, []);
    }
  });

  await t.step("a server without encryption is refused, unless it is on this machine", async () => {
    await using server = await startServer({ hasTls: false });
    // An address of this machine that does not say so.
    assertEquals(await send(`smtp://user:pass@0.0.0.0:${server.port}`), refused);
    assertEquals(server.got, []);
    assertEquals(await send(`smtp://127.0.0.1:${server.port}`), { kind: "sent" });
    assertEquals(server.got, [{ isEncrypted: false, what: "mail" }]);
  });
});
