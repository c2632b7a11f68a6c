/** The answer of the bench's model to a question. Every chunk differs, and no two questions get the same answer. */
export function spokenChunks(question: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return `On ${question}:\n`;
    return index % 12 === 0 ? ` point ${index}.\n\n` : ` word${index}`;
  });
}
