/** What an error of the operating system says, for the sentence of another error. */
export const causeOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
