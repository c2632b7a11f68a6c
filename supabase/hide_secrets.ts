/** Takes secrets out of a text, as they are and as they look in addresses and JSON. Short values are no secrets. */
export function hideSecrets(text: string, secrets: Iterable<string | null | undefined>): string {
  const forms = [...secrets].filter((secret) => secret !== null && secret !== undefined && secret.length >= 6)
    .flatMap((secret) => [secret!, encodeURIComponent(secret!), JSON.stringify(secret).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length);
  return forms.reduce((shown, form) => shown.replaceAll(form, "•••"), text);
}
