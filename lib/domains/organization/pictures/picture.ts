import { randomBytes } from 'node:crypto';
import { describe, file } from '../../../base/schemas.ts';
import type { OrganizationPicture } from '../../../model/organization.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { StoredImage } from '../../../storage/interface/organization.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { mediumIcon, organizationPicture } from '../../../views/organization-pictures.ts';
import { organizationUpdatedDict } from '../settings/organization-change.ts';

const MAX_FILE_MEBIBYTES = 5;

export const pictureFile = describe(file(MAX_FILE_MEBIBYTES), 'PNG, JPEG, GIF, WebP or AVIF.');

/** The name of a file is random and never used again, so clients may cache the file for ever. */
export const newPictureName = () => randomBytes(16).toString('hex');

const filesOf = (kind: OrganizationPicture, fileName: string | undefined): string[] => {
  if (fileName === undefined) return [];
  return kind === 'icon' ? [fileName, mediumIcon(fileName)] : [fileName];
};

/**
 * Replaces a picture, and sends the event. Without images, the default returns.
 * @param images the first is the one that the settings name
 * @returns the new URL
 */
export async function replacePicture(
  context: AccountContext,
  kind: OrganizationPicture,
  images: readonly StoredImage[],
): Promise<string> {
  const { tx, organization, emit, services } = context;
  const { [kind]: before, ...others } = organizationSetting(organization, 'pictures');
  const name = images[0]?.file_name;
  const pictures = { ...others, ...(name !== undefined && { [kind]: name }) };
  const after = { ...organization, settings: { ...organization.settings, pictures } };
  const { url, source } = organizationPicture(after, kind, services.options.baseUrl);
  if (before === name) return url;
  await tx.organizationPictures.replace(filesOf(kind, before), images);
  await tx.organization.update({ settings: after.settings });
  const data = { [`${kind}_source`]: source, [`${kind}_url`]: url };
  emit({ scope: 'everyone' }, organizationUpdatedDict({ property: kind, data }));
  return url;
}
