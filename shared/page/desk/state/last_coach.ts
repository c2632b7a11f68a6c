const name = "human-desk coach";

/** At whose desk an expert of several personas has sat last in this browser. */
export const lastCoach = {
  read(): string | null {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  keep(coachId: string): void {
    try {
      localStorage.setItem(name, coachId);
    } catch {
      // A browser that stores nothing.
    }
  },
};
