/** A passage of a file of a coach, as the address of the page names it. */
export type SourcePlace = { coachId: string; fileId: string; passageId: string };

const form = /^#source=([^/]+)\/([^/]+)\/([^/]+)$/;

/** Reads the passage that an address names in the part after `#`; null if it names none. */
export function readSourcePlace(hash = location.hash): SourcePlace | null {
  try {
    const [coachId, fileId, passageId] = form.exec(hash)!.slice(1).map(decodeURIComponent) as [string, string, string];
    return { coachId, fileId, passageId };
  } catch {
    return null;
  }
}

/** The part of an address that names a passage. */
export function linkToSource({ coachId, fileId, passageId }: SourcePlace): string {
  return `#source=${[coachId, fileId, passageId].map(encodeURIComponent).join("/")}`;
}

/** The part of the address after `#`, as it is without the reader. */
export function hashBeneath(): string {
  return readSourcePlace() ? history.state?.beneath ?? "" : location.hash;
}
