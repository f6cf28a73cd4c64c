import type { UploadedImage } from '../../markdown/data.ts';
import { uploadUrl } from '../../rules/uploads.ts';
import type { Upload } from '../../storage/interface/uploads.ts';

/** Of the files, those that are shown in messages as pictures, by what tells them in links. */
export function uploadedImages(uploads: readonly Upload[]): ReadonlyMap<string, UploadedImage> {
  return new Map(
    uploads.filter(isPicture).map((upload): [string, UploadedImage] => {
      const { file_key, content_type } = upload;
      return [file_key, { content_type, thumbnail: uploadUrl(upload) }];
    }),
  );
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif)$/;

export const isPicture = ({ content_type }: Pick<Upload, 'content_type'>) => PICTURE.test(content_type);
