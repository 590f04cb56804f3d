r"""Look-alikes that somebody wrote: sentences, code, lines of files and logs; one a line, `\n` for a line's end."""

from typing import Final

PROSE: Final = """
The password is required, and the token must not expire.
Reset password: users click the link in the mail.
A token is a short-lived credential that the client sends along.
Secrets are never logged; passwords are hashed with argon2.
What is the secret of good tests? Small pieces.
password too short
Password must be at least 12 characters long.
Enter your password:\x20
Forgot password? Click here.
Wrong password, try again
The secret key is read from the environment.
Use an API key: create one in the console and keep it safe.
The API key is missing or invalid.
The token was rejected by the server.
token limit exceeded: 4096 tokens
The password is "required", not optional.
We agreed that the password: field stays optional.
Bearer authentication is used everywhere.
Basic authentication over plain HTTP is refused.
basic understanding of JavaScriptFrameworks
Authorization: who may do what is decided by grants.
Authorization is checked per route.
The key is to keep functions small.
The key: keep it simple.
Secret: there is none.
Tokens: 12,345 in, 678 out
input tokens: 1234, output tokens: 567
I think the token is expired or revoked.
Passwords: never store them in plain text.
Rotate credentials: every ninety days.
Use 2FA, a password manager and long passphrases.
"correct horse battery staple" is the example everybody knows.
Das Passwort ist falsch oder abgelaufen.
Passwort vergessen? Dann hier klicken.
Bitte Passwort eingeben: mindestens zwölf Zeichen
Le mot de passe est obligatoire.
Mot de passe oublié : cliquez ici
La contraseña es obligatoria.
Contraseña: debe tener doce caracteres
A senha deve ter pelo menos oito caracteres.
Пароль обязателен для входа.
Пароль: не менее двенадцати символов
密码不能为空\uff0c请重新输入
请输入密码\uff0c然后点击登录
密码是必填项
密码\uff1a至少十二个字符
パスワードを入力してください
パスワード\uff1a必須
비밀번호: 필수 입력 항목입니다
비밀번호를 잊으셨나요?
كلمة المرور مطلوبة
Hasło jest wymagane.
Wachtwoord vergeten?
Call me at +1 (555) 010-4477 or +49 30 901820.
The number is 0044 20 7946 0958 today.
Card 4242 4242 4242 4242 is Stripe's test card.
Meet at 12:30:45 on 2026-11-02, room 4711.
The ghp_ prefix marks a personal access token, sk- an API key.
AKIA is how the ids of long-lived keys begin.
Tokens start with xoxb- or xoxp-.
JWTs begin with eyJ because that is {" in base64.
Look for -----BEGIN PRIVATE KEY----- in the file.
Add "Authorization: Bearer <token>" to each request.
Set OPENAI_API_KEY before you start.
export ANTHROPIC_API_KEY="your-api-key-here"
The default user is admin and the password is up to you.
He said the passphrase is easy to remember.
Our secret sauce: fewer moving parts.
Press key: Enter
Public key: see below
The primary key is (tenant_id, created_at).
foreign key (user_id) references users(id)
Session: 3 of 12 done, 9 left
Commit 3f2a9c1d fixes the password prompt.
v1.2.3-rc.4+build.5678 drops Python 3.8
Read about it at https://example.com/docs/auth?tab=tokens#access-tokens
Write to bob@example.com or ops+alerts@example.co.uk.
git@github.com:example/shop.git is the remote
ssh://git@git.example.com:2222/a/b.git
http://localhost:8080/login?next=/home
https://user@example.com/path
The secret santa list: anna, bob, carl
"""

CODE: Final = r"""
def login(user: str, password: str, token: Token | None = None) -> Session:
password = getpass.getpass("Password: ")
token = get_token()
token = await fetch_token(client, scope="read")
const token = await getToken();
const { token, password } = req.body;
const token = process.env.TOKEN;
const apiKey = process.env.API_KEY ?? "";
const apiKey = config.get("apiKey");
api_key = os.environ["OPENAI_API_KEY"]
api_key=os.getenv("ANTHROPIC_API_KEY", "")
client = OpenAI(api_key=settings.openai_api_key)
secret = settings.secret_key.get_secret_value()
password=args.password, token=args.token
connect(password=password, token=token)
self._password = password
this.token = token;
if (password !== confirmPassword) {
if password == "":
assert token is None
assert response.json()["token"] == token
return { accessToken: tokens.access, refreshToken: tokens.refresh };
interface Login { token: string; password?: string }
type Secret = { name: string; value: string };
password: Mapped[str] = mapped_column(String(255))
password_hash = Column(String(128), nullable=False)
client_secret: SecretStr
token: Annotated[str, Header()] = ""
token: str | None = Field(default=None, description="The access token")
password VARCHAR(255) NOT NULL,
SELECT password, token FROM users WHERE id = ?
ALTER TABLE users ADD COLUMN password_reset_token text;
token := r.Header.Get("Authorization")
apiKey := os.Getenv("API_KEY")
var secretKey []byte
let secret: String = env::var("SECRET")?;
private String password;
@Value("${db.password}") private String password;
public void setPassword(String password) { this.password = password; }
System.getenv("DB_PASSWORD")
$password = $_POST['password'];
'password' => 'required|min:8',
'password' => env('DB_PASSWORD', ''),
params.require(:user).permit(:email, :password)
has_secure_password
ENV["SECRET_KEY_BASE"]
password: ${DB_PASSWORD}
password: {{ .Values.db.password }}
password: !vault |
token: ${{ secrets.GITHUB_TOKEN }}
TOKEN=$(cat /run/secrets/token)
TOKEN="$(vault kv get -field=token secret/x)"
PASSWORD=${PASSWORD:?is not set}
export API_KEY=$API_KEY
API_KEY=<your key> TOKEN=<token>
--password "$PASSWORD" --token $TOKEN
curl -H "Authorization: Bearer ${TOKEN}" https://h
curl -H "Authorization: Bearer $TOKEN" https://h
curl -u "$USER:$PASS" https://h
mysql -u root -p"$MYSQL_PASSWORD" db
headers={"Authorization": f"Bearer {token}"}
headers: { Authorization: `Bearer ${token}` }
"Authorization": "Bearer " + token
postgres://${USER}:${PASSWORD}@db/shop
f"postgresql://{user}:{password}@{host}/{name}"
redis://localhost:6379/0
mongodb://localhost:27017/shop
password=*** token=****
password: ********
"password": "[REDACTED]"
"password": null, "token": "", "secret": false
"password": {"type": "string", "minLength": 8}
"max_tokens": 4096, "input_tokens": 12, "token_count": 9
max_tokens=1024, cache_read_input_tokens=51234
"cache_creation_input_tokens": 18734
TOKEN_LIMIT=8000
PASSWORD_MIN_LENGTH=12
token_type: bearer
grant_type=password&response_type=token
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
pad_token_id=0, eos_token="</s>"
token = Token(kind=TokenKind.IDENT, text="x")
for token in doc: print(token.text, token.pos_)
const tokens = tokenize(source);
key = lambda item: item.name
sorted(pages, key=operator.attrgetter("title"))
items.map(item => <li key={item.id}>{item.name}</li>)
primary_key=True, sort_key="created_at"
hotkey: ctrl+shift+k
cache_key = f"{user_id}:{page}"
partitionKey: customerId
localStorage.getItem("token")
document.cookie.split("; ")
credentials: 'include'
credentials = service_account.Credentials.from_service_account_file(path)
csrf_token = request.headers.get("X-CSRF-Token")
{% csrf_token %}
<input type="password" name="password" autocomplete="current-password">
<label for="password">Password</label>
secretKeyRef:\n  name: db\n  key: password
secretName: my-secret\nkind: Secret
env:\n  - name: DB_PASSWORD\n    valueFrom:
secrets: inherit
uses: actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11
test_password_is_required_when_token_is_missing PASSED
tests/test_tokens.py::test_token_is_rejected[expired-401] PASSED
KeyError: 'password'
TypeError: login() missing 1 required positional argument: 'password'
raise InvalidToken("token is expired")
logger.info("token refreshed for %s", user)
print(f"password: {password}")
throw new Error("Password must not be empty");
start = b"-----BEGIN OPENSSH PRIVATE KEY-----"
if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):
re.compile(r"sk-[A-Za-z0-9]{20,}")
PATTERN = r"AKIA[0-9A-Z]{16}"
"pattern": "gh[pousr]_[A-Za-z0-9]{36}"
secrets.token_hex(16)
secret = sign(payload +\n    salt)
token = sign(header,\n    body)
password = prompt_password(\n    "Password"\n)
import secrets, hashlib, hmac
config.get("token", "")
parser.add_argument("--password", help="The password")
parser.add_argument("--token", default=None, type=str)
@click.option("--api-key", envvar="API_KEY", required=True)
@click.option("--password", prompt=True, hide_input=True)
t.equal(typeof token, "string")
translate("password", "Passwort")
pass: 12, fail: 0
client.login("bob", "password")
redirect(login("next", "/home"))
const link = [[note]]; secret = [[a, b], [c, d]]
def token(self) -> str:
from app.access import access_token, passwords
class PasswordHasher(Protocol):
passwordResetTokenExpiresAt: Date
const KEY_LENGTH = 32, TOKEN_TTL_SECONDS = 3600;
api_key: 'YOUR_API_KEY'
apiKey: "xxxxxxxxxxxxxxxxxxxx"
token: "..."
key: value
"key": "items.0.name", "value": 3
"keyId": "primary", "keyType": "RSA"
accessKeyId: process.env.AWS_ACCESS_KEY_ID,
monkey = banana42
password_field.send_keys(Keys.RETURN)
--token-file /etc/memwiki/token --password-stdin
"""

FILES: Final = r"""
/home/dev/shop/src/auth/token_store.py:12:4: error: bad
src/components/PasswordField.tsx
app/access/access_token.py | 12 ++++++------
 M tests/unit/test_password_reset.py
-rw-r--r-- 1 dev dev 1679 Nov  2 10:11 passwords.md
~/.ssh/known_hosts ~/.ssh/id_rsa.pub
/etc/ssl/certs/ca-certificates.crt fullchain.pem chain.pem
PWD=/srv/main OLDPWD=/x/y1
GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/key.json
SSH_AUTH_SOCK=/tmp/ssh-XXXXabcd/agent.1234
POSTGRES_PASSWORD_FILE=/run/secrets/db
--password-file=/run/secrets/db
docker run -u 1000:1000 -p 8080:80 image
docker run -p 5432:5432 -e PGDATA=/x postgres:16
zip -r a.zip src
unzip -p a.zip x.txt
mongosh -u bob -p
ssh-keygen -t ed25519 -N "" -f k
git config set user.name bob
https://example.com/x?signature=required
{"pass": 12, "fail": 0}
{"pass": true}
password hashing with argon2id
password reset-2024 flow
Password for bob: wrong, try again
[sudo] password for bob:
ssh -p 2222 dev@host.example.com
mysql -u root -p shop
curl -u bob https://h
scp -P 22 a b:/c
kubectl get secret db -o yaml
kubectl create secret generic db --from-file=password.txt
openssl rsa -in key -passin file:pw.txt
src/a.c:1234:56:error:message
127.0.0.1:5432 accepting connections
db:5432:shop
listening on 0.0.0.0:7470, pid 4242
node-v20.11.1-linux-x64.tar.xz
python-3.11.7-amd64.exe 25.1 MB
release 2026.11.02-rc1+git.3f2a9c1
Chrome/131.0.6778.86 Safari/537.36
Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0
2026-11-02T10:11:12.123456789Z
[  12.345678] usb 1-1: new device
1764500000.123456 epoch
+1-202-555-0143
98.6% of 1,234,567 tokens
GET /api/v1/tokens?limit=20 200 12ms
POST /login 401 invalid_password
INFO auth: password login for user=bob ok
level=warn msg="token expired" user=bob
WARN secret "db" not found in namespace "prod"
Error: secret not set: DB_PASSWORD
error: The token provided is invalid (code: E1042)
\x1b[32mPASS\x1b[0m tests/test_token.py \x1b[1m12 passed\x1b[0m
  ✓ rejects a wrong password (12 ms)
Requirement already satisfied: keyring==25.0.1
Collecting python-jose[cryptography]>=3.3.0
+ jsonwebtoken@9.0.2
├── bcrypt@5.1.1
go: downloading github.com/golang-jwt/jwt/v5 v5.2.1
   Compiling secrecy v0.10.3
Successfully built 8840b5a4e3c6
latest: digest: size: 1572
diff --git a/src/token.py b/src/token.py
@@ -12,7 +12,7 @@ def check_password(user, password):
-    token = old_token(user)
+    token = new_token(user)
rename from docs/secret-santa.md
[main 3f2a9c1] auth: rotate tokens
Your branch is ahead of 'origin/rotate-api-keys' by 2 commits.
feature/JIRA-1234-password-reset
XDG_SESSION_ID=42 SESSION_MANAGER=local/host
LESSKEY=/x DISPLAY=:0 TERM=xterm-256color
ssh_host_ed25519_key.pub
{"token_count": 12, "has_password": true}
{"error": "invalid_token", "error_description": "The access token expired"}
{"name": "token", "in": "header", "required": true}
# password: the user's password, hashed
; token = <paste it here>
// secret: see vault
password:
token:
API_KEY=
secret=""
id,password_changed_at,token_version\n7,2026-01-02,3
| token | the caller's access token | required |
| `password` | string | none |
- [ ] rotate the API key: ask ops
1. Set a password: `passwd bob`
[[notes/password-policy]] and [[decisions/api-keys]]
tags: [password, api-key, token]
title: Where the API key comes from
key-rotation-2026-q4.md
uploads/3f2a9c1d44e85b0c.png
chunk-vendors.8f3b2c1d.js main.4e5f6a7b.css
A1B2C3D4-license-plates.csv
session_01HZY8V3Q2.jsonl
Subject: [PATCH v2 3/7] crypto: free the key on error
Signed-off-by: Bob <bob@example.com>
"""
