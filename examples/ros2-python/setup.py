from setuptools import setup

package = "hlc_controller_python"

setup(
    name=package,
    version="0.1.0",
    packages=[package],
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{package}"]),
        (f"share/{package}", ["package.xml"]),
    ],
    install_requires=["setuptools"],
    entry_points={"console_scripts": [f"controller = {package}.controller:main"]},
)
