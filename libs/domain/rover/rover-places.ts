/** Contexts that the sealed texts of a job are bound to. */
export const roverPlaces = {
  question: (roverJobId: string) => `rover-${roverJobId}/question`,
  output: (roverJobId: string, stepId: string) => `rover-${roverJobId}/output/${stepId}`,
  token: (roverJobId: string, part: number) => `rover-${roverJobId}/token/${part}`,
  answer: (roverJobId: string) => `rover-${roverJobId}/answer`,
} as const;
