/** For the erasure of a person. */
export const previewsByAccount = `
CREATE INDEX link_previews_by_account ON link_previews (account_id);
`;
