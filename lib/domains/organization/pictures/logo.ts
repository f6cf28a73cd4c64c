import { falseByDefault } from '../../../base/schemas.ts';
import type { OrganizationPicture } from '../../../model/organization.ts';

export const forDark = falseByDefault('The logo for dark backgrounds. Without one, clients show the other logo there.');

export const kindOfLogo = (night: boolean): OrganizationPicture => (night ? 'night_logo' : 'logo');
