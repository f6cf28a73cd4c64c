/** Path of uploaded files below the site. */
export const UPLOADS = '/user_uploads';

const ADDRESS = /^([0-9]{1,9}\/[0-9a-f]{1,2}\/[\w-]{24})\/([^/]+)$/;

/** The parts of a URL after `/user_uploads/`. */
export interface UploadAddress {
  file_key: string;
  file_name: string;
}

export const pathIdOf = ({ file_key, file_name }: UploadAddress) => `${file_key}/${file_name}`;

/** Parses the path of a file; undefined if it is not valid. */
export function readPathId(pathId: string): UploadAddress | undefined {
  const [, file_key, file_name] = ADDRESS.exec(pathId) ?? [];
  return file_key === undefined || file_name === undefined ? undefined : { file_key, file_name };
}
