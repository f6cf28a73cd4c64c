/** Below the site, where uploaded files are. */
export const UPLOADS = '/user_uploads';

const ADDRESS = /^([0-9]{1,9}\/[0-9a-f]{1,2}\/[\w-]{24})\/([^/]+)$/;

/** What stands in an address after `/user_uploads/`. */
export interface UploadAddress {
  file_key: string;
  file_name: string;
}

export const pathIdOf = ({ file_key, file_name }: UploadAddress) => `${file_key}/${file_name}`;

/** Undefined for what is no address of a file. */
export function readPathId(pathId: string): UploadAddress | undefined {
  const [, file_key, file_name] = ADDRESS.exec(pathId) ?? [];
  return file_key === undefined || file_name === undefined ? undefined : { file_key, file_name };
}
