import type { Organization, OrganizationPicture } from '../model/organization.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import { onSite } from './avatars.ts';

/** Path below the site. */
export const ORGANIZATION_PICTURES = '/organization_pictures';

/** The icon of an organization without pictures, below the site. */
const DEFAULT_PICTURE = '/static/organization-icon.png';

/**
 * URL of a picture, and `source`: U uploaded, D the default of the server. An uploaded picture has a path on the host, as
 * avatars have. Everyone can see it, because the login page shows it.
 */
export function organizationPicture(organization: Organization, kind: OrganizationPicture, baseUrl: string) {
  const fileName = organizationSetting(organization, 'pictures')[kind];
  return fileName === undefined
    ? { source: 'D' as const, url: baseUrl + DEFAULT_PICTURE }
    : { source: 'U' as const, url: `${onSite(ORGANIZATION_PICTURES, organization)}/${fileName}` };
}

export const uploadedPicture = (url: string) => (url.startsWith('/') ? url : undefined);

/** The larger version of an uploaded icon: a URL, or a file name. */
export const mediumIcon = (icon: string) => icon.replace(/\.png$/, '-medium.png');
