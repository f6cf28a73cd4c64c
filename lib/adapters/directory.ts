/** A person in a directory. */
export interface DirectoryPerson {
  /** ID of the person in the directory: 1 to 255 characters. It never goes to another person. */
  id: string;
  /** E-mail address. The directory vouches that it belongs to the person. */
  email: string | undefined;
  /** Display name. Empty: the first part of the address. */
  name: string;
}

/** Checks passwords that the chat does not have. Use `ldap()`, or write your own. */
export interface Directory {
  /**
   * The person with this login name and password. Undefined if there is none. The chat counts wrong passwords.
   * @param login what the person has entered, such as `ben` or `ben@example.com`
   * @throws any error if the directory does not answer
   */
  check(login: string, password: string): Promise<DirectoryPerson | undefined>;
}
