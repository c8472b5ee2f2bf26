//! Makes the structs of the messages from idl/: RustDDS has no code generator. A message is a
//! struct with the members in the order of the IDL file, serialised by serde, and Keyed gives its key.
use std::{env, fs, path::Path};

const TYPES: &str = "TimeStamp Header Pose2D TrajectoryPoint PathPoint ReadyStatus SystemTrigger \
    VehicleState VehicleObservation VehicleStateList VehicleCommandDirect \
    VehicleCommandSpeedCurvature VehicleCommandTrajectory VehicleCommandPathTracking";

fn main() {
    let mut code = String::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.ancestors().map(|above| above.join("idl")).find(|idl| idl.exists()).unwrap();
    for name in TYPES.split_whitespace() {
        let file = folder.join(format!("{name}.idl"));
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().map(|line| line.trim().trim_end_matches(';'));
        code += "#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]\n";
        code += &format!("pub struct {name} {{\n");
        let mut key = None;
        // One member a line; comments have lines of their own.
        for line in lines.skip_while(|line| !line.starts_with("struct")).skip(1) {
            if line.starts_with(['/', '*', '}', '#']) || line.is_empty() {
                continue;
            }
            let plain = line.trim_start_matches("@key ");
            let (kind, member) = plain.rsplit_once(' ').unwrap();
            code += &format!("pub {member}: {},\n", rust_type(kind));
            if plain != line {
                key = key.or(Some((member, rust_type(kind))));
            }
        }
        code += "}\n";
        if let Some((member, kind)) = key {
            code += &format!("impl rustdds::Keyed for {name} {{ type K = {kind}; ");
            code += &format!("fn key(&self) -> {kind} {{ self.{member} }} }}\n");
        }
    }
    fs::write(format!("{}/messages.rs", env::var("OUT_DIR").unwrap()), code).unwrap();
}

fn rust_type(idl: &str) -> String {
    match idl {
        "octet" => "u8".into(),
        "long" => "i32".into(),
        "unsigned long long" => "u64".into(),
        "double" => "f64".into(),
        "boolean" => "bool".into(),
        "string" => "String".into(),
        other => match other.strip_prefix("sequence<") {
            Some(rest) => format!("Vec<{}>", rust_type(rest.trim_end_matches('>'))),
            None => other.into(),
        },
    }
}
