/** When the set-up of a second factor began. Set-ups from before this column have to begin again. */
export const begunSecondFactors = `
ALTER TABLE second_factors ADD COLUMN begun_ms INTEGER NOT NULL DEFAULT 0;
`;
