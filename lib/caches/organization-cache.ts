import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** The organization as it was read lately. */
export class OrganizationCache {
  #organization: Organization | undefined;
  readonly #baseUrl: () => string;
  #site: { address: string; path: string } | undefined;

  /** @param baseUrl where the outside reaches the chat; it may become known later than the organization */
  constructor(baseUrl: () => string) {
    this.#baseUrl = baseUrl;
  }

  /** The organization of a transaction, which has read its versions. */
  async of(tx: Transaction, { version }: Pick<Versions, 'version'>): Promise<Organization> {
    const kept = this.#organization;
    const organization = kept?.version === version ? kept : ((await tx.organization.get()) as Organization);
    const site_path = this.#sitePath();
    // A transaction before the organization was created finds none.
    return !organization || organization.site_path === site_path ? organization : { ...organization, site_path };
  }

  /** With every transaction, and hardly ever another: read out of the address once. */
  #sitePath(): string {
    const address = this.#baseUrl();
    if (this.#site?.address !== address) {
      this.#site = { address, path: new URL(address).pathname.replace(/\/+$/, '') };
    }
    return this.#site.path;
  }

  /** Takes only what has been committed; one read in an older snapshot does not replace a newer one. */
  keep(organization: Organization): void {
    const kept = this.#organization;
    const isAsNew = organization.version === kept?.version && organization.site_path !== kept.site_path;
    if (isAsNew || organization.version > (kept?.version ?? -1)) this.#organization = organization;
  }
}
