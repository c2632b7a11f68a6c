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
