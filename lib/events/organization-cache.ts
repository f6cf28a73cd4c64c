import type { Organization, Versions } from '../model/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';

export class OrganizationCache {
  #organization: Organization | undefined;

  /** @param baseUrl returns the public address, which may become known later than the organization */
  constructor(private readonly baseUrl: () => string) {}

  /** The organization of a transaction with this version. */
  async of(tx: Transaction, { version }: Pick<Versions, 'version'>): Promise<Organization> {
    const kept = this.#organization;
    const organization = kept?.version === version ? kept : ((await tx.organization.get()) as Organization);
    const site_path = new URL(this.baseUrl()).pathname.replace(/\/+$/, '');
    // undefined in a transaction before the organization was created.
    return !organization || organization.site_path === site_path ? organization : { ...organization, site_path };
  }

  get newest(): Organization | undefined {
    return this.#organization;
  }

  /** Call it only with committed data. An older version does not replace a newer one. */
  keep(organization: Organization): void {
    const kept = this.#organization;
    const isAsNew = organization.version === kept?.version && organization.site_path !== kept.site_path;
    if (isAsNew || organization.version > (kept?.version ?? -1)) this.#organization = organization;
  }
}
