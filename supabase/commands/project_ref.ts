/** Returns whether a text is the reference of a project on the platform: the first part of its address. */
export function isProjectRef(text: string): boolean {
  return /^[a-z]{20}$/.test(text);
}

/** The address of a project on the platform. */
export function urlOfProject(ref: string): string {
  return `https://${ref}.supabase.co`;
}
