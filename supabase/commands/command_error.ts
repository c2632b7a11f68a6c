/** Ends a command early: with a sentence for the user, and the exit code. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends a command that was called wrongly. */
export function refuse(sentence: string): never {
  throw new CommandError(sentence, exitCodes.calledWrongly);
}

/** Exit codes. Saying no to the question of a command has the code of Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, calledWrongly: 2, declined: 130, interrupted: 130 };

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Replaces secrets in a text by •••, also encoded as in addresses or JSON. Values of fewer than 6 characters stay. */
export function hideSecrets(text: string, secrets: Iterable<string | null | undefined>): string {
  const forms = [...secrets].filter((secret) => secret !== null && secret !== undefined && secret.length >= 6)
    .flatMap((secret) => [secret!, encodeURIComponent(secret!), JSON.stringify(secret).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length);
  return forms.reduce((shown, form) => shown.replaceAll(form, "•••"), text);
}
