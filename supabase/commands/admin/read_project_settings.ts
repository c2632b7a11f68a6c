import { CommandError, exitCodes } from "../command_error.ts";
import { isThisMachine } from "../local/local_address.ts";

/** The project that a command works on. */
export type ProjectSettings = { url: string; secretKey: string };

/**
 * Reads the address and key of the project from the environment.
 *
 * @throws {CommandError} that explains what is wrong with them.
 */
export function readProjectSettings({ BASE_URL, SECRET_KEY }: Record<string, string | undefined>): ProjectSettings {
  if (!BASE_URL || !SECRET_KEY) {
    refuse(
      "Start the service with npm start, or set BASE_URL and SECRET_KEY to the address and the secret key of a " +
        "project.",
    );
  }
  const url = URL.parse(BASE_URL);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    refuse("BASE_URL is not the address of a project, such as https://<project ref>.supabase.co");
  }
  if (url.protocol === "http:" && !isThisMachine(url)) {
    refuse("BASE_URL starts with http://, so the key would be sent unencrypted: use https://");
  }
  if (SECRET_KEY.startsWith("sb_publishable_")) {
    refuse(
      "SECRET_KEY is set to a publishable key: set it to the " +
        "secret key.",
    );
  }
  // Other characters cannot be sent in a header, and the error about that would show the key.
  if (!/^[\x21-\x7e]+$/.test(SECRET_KEY)) refuse("SECRET_KEY contains characters that are not allowed in a key.");
  return { url: url.href.replace(/\/+$/, ""), secretKey: SECRET_KEY };
}

function refuse(sentence: string): never {
  throw new CommandError(sentence, exitCodes.calledWrongly);
}
