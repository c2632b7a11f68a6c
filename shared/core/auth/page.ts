/** Where a request comes from, as its browser says. */
export type Page = {
  /** The origin of the page; null where none is named. */
  origin: string | null;
  /** Whether the page has the origin of the service; browsers name none then, where the request only reads. */
  isSameOrigin: boolean;
};
